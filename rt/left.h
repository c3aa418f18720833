/* rt/left.h -- may a steered program touch this memory?  What is wrong with an access to the heap (heap.h), or to a local that is gone (left.c), ends the run. */
#ifndef RADDLE_RT_LEFT_H
#define RADDLE_RT_LEFT_H

#include "rt/heap.h"

/* Strands that stand where a local of theirs is gone, at least: whoever comes to it now comes too late. */
extern uint32_t left_standing;
void left_check(const void *at, uint64_t bytes, bool is_write);         /* ends the run if there is one there */

static inline bool memory_is_watched(const void *at)
{
	return heap_owns(at) || __builtin_expect(left_standing != 0, 0);
}

/* Of what one instruction touches, */
static inline void memory_check(const void *at, uint32_t bytes, bool is_write)
{
	if (heap_owns(at))
		heap_check(at, bytes, is_write);
	else if (__builtin_expect(left_standing != 0, 0))
		left_check(at, bytes, is_write);
}

/* and of more. */
static inline void memory_check_range(const void *at, uint64_t bytes, bool is_write)
{
	if (__builtin_expect(left_standing != 0, 0))
		left_check(at, bytes, is_write);
	heap_check_range(at, bytes, is_write);
}

#endif
