/* rt/segment.h -- how a thread comes by segments and gives them up (segment.c); the ring as this process maps it. */
#ifndef RADDLE_RT_SEGMENT_H
#define RADDLE_RT_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/rt.h"

/* The ring, mapped by process.c; NULL while this program is not being recorded. */
extern struct ring_head *ring;
extern uint32_t process_index;                    /* of this process in the ring's table */

/* Does anybody want records?  A steered run may only want to know how it ends. */
static inline bool ring_keeps(void)
{
	return !ring || ring->keep;
}

static inline struct process_entry *ring_process(uint32_t i)
{
	return (struct process_entry *)((char *)ring + ring->processes_at) + i;
}
static inline struct module_entry *ring_module(uint32_t i)
{
	return (struct module_entry *)((char *)ring + ring->modules_at) + i;
}
static inline struct thread_area *ring_area(uint32_t i)
{
	return (struct thread_area *)((char *)ring + ring->areas_at + (uint64_t)i * AREA_BYTES);
}
static inline uint32_t *ring_states(void)
{
	return (uint32_t *)((char *)ring + ring->states_at);
}
static inline char *ring_segment(uint32_t i)
{
	return (char *)ring + ring->segments_at + (uint64_t)i * SEGMENT_BYTES;
}

/* May this part of the ring, of whole pages, be written to?  In a file (ring->in_file) it may be a hole, and the disk full. */
bool ring_has_room(void *at, uint64_t bytes);

/* Closes the segment `cursor` lies in (CURSOR_NONE: none yet) and opens another; returns the cursor in it and leaves the
 * same in raddle_tls.cursor.  When there is no ring to write to, the thread's mode becomes MODE_OFF and the cursor points
 * into a sink that nobody reads. */
uint64_t segment_next(uint64_t cursor);
uint64_t segment_next_apart(uint64_t cursor);   /* the same by another stack (apart.S) */
/* Closes the thread's segment and hands it over; the thread has none afterwards. */
void segment_close(void);
/* The same for a strand that does not run: it has none afterwards.  false: it is in a signal handler, and comes back to more than one. */
bool segment_hand_over(struct raddle_tls *of);
/* Where the next record will really go: instrumented code may hold a later cursor in a register than raddle_tls.cursor. */
uint64_t segment_true_end(uint64_t cursor);
/* The same for the calling thread, whatever it was doing when a signal came, and in which of its segments that is;
 * CURSOR_NONE: it was between that one and the next. */
uint64_t segment_end_now(uint32_t *seq);

/* In the child of a fork made by a signal handler: the interrupted code may hold a cursor into this segment of the parent's in
 * a register.  From here on what it writes there is this process's own affair, and lost. */
void segment_disown(uint32_t index);
extern __thread uint32_t segment_taking __attribute__((tls_model("initial-exec")));   /* index + 1 of one being made ready, or 0 */

/* Every record write: make room, return the cursor. */
static inline uint64_t segment_room(void)
{
	uint64_t cursor = raddle_tls.cursor;
	if (!rt_unlikely((cursor & (SEGMENT_BYTES - 1)) >= SEGMENT_LIMIT))
		return cursor;
	return raddle_tls.seq[0] ? segment_next_apart(cursor) : segment_next(cursor);   /* its first comes at the same event in every run */
}

#endif
