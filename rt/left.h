/* rt/left.h -- may a steered program touch this memory?  What is wrong with an access to the heap (heap.h), or to what is gone with a function or a thread
 * (left.c), ends the run. */
#ifndef RADDLE_RT_LEFT_H
#define RADDLE_RT_LEFT_H

#include "rt/heap.h"

struct strand;

/* Strands that stand where a local of theirs is gone, at least: whoever comes to it now comes too late. */
extern uint32_t left_standing;
/* Around all else that is gone: locals, memory of threads that have ended; 0 bytes: nothing is. */
extern uint64_t left_base, left_bytes;
void left_check(const void *at, uint64_t bytes, bool is_write);         /* ends the run if something is gone there */

uint64_t left_stack(const struct strand *s);    /* the calling strand is at a point: the program's stack pointer, 0 not known */
void left_begins(struct strand *s, bool owned); /* the calling thread is this strand, on a stack of libc's own or another */
void left_ends(const struct strand *s);         /* and has ended: nobody has to do with its memory any more */

void left_unmapped(uint64_t at, uint64_t bytes);        /* whatever lies there from now on is another thing */

static inline bool memory_may_be_gone(const void *at)
{
	return __builtin_expect(left_standing != 0 || (uint64_t)at - left_base < left_bytes, 0);
}

static inline bool memory_is_watched(const void *at)
{
	return heap_owns(at) || memory_may_be_gone(at);
}

/* Of what one instruction touches, */
static inline void memory_check(const void *at, uint32_t bytes, bool is_write)
{
	if (heap_owns(at))
		heap_check(at, bytes, is_write);
	else if (memory_may_be_gone(at))
		left_check(at, bytes, is_write);
}

/* and of more. */
static inline void memory_check_range(const void *at, uint64_t bytes, bool is_write)
{
	if (memory_may_be_gone(at))
		left_check(at, bytes, is_write);
	heap_check_range(at, bytes, is_write);
}

#endif
