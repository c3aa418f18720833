/* wire/handed.h -- the records of runs another one of the same process followed (rt/restart.c), as raddle is given them.
 *
 * The ring has room for one run.  At the end of a run that is not the last one, what it left there is copied to a row of bytes in
 * wire/steer.h's memory (handed_at, handed_room of them), which is gone through again and again:
 *
 *   struct handed_run | thread areas, `areas` of them | what segments held, head included, `segments` times | struct handed_run | ...
 *
 * The program writes behind `handed` bytes and raddle reads from `handed_taken` on; both only grow, modulo the room.  Nothing stands across
 * the end of the row: a HANDED_REST fills it; where raddle keeps up, long before the end.  Segments stand in the order in which they were taken, so those of one lane by their
 * numbers; `used` of their heads says how long they are, a multiple of 8.  Of an area there is all up to held[], the locks it holds, the
 * functions it is in, then what lies behind these; of a thread that has ended, no locks and no functions. */
#ifndef RADDLE_WIRE_HANDED_H
#define RADDLE_WIRE_HANDED_H

#include <stdint.h>

#include "wire/ring.h"

enum handed_what { HANDED_RUN = 1, HANDED_REST = 2 };

struct handed_run {
	uint64_t bytes;           /* itself and all behind it that belongs to it; a multiple of 8 */
	uint32_t what;            /* enum handed_what */
	uint32_t areas, segments;
	uint32_t area_bytes;      /* of all areas */
	uint32_t modules;         /* entries of the ring's table that are of this run too; a later one may load more */
};

/* Pieces of an area: before held[], held[], frames[], behind them. */
#define HANDED_PIECES 4
static inline void handed_area(const struct thread_area *a, uint32_t at[HANDED_PIECES], uint32_t bytes[HANDED_PIECES])
{
	uint32_t held = a->held_count < AREA_HELD ? a->held_count : AREA_HELD, frames = a->depth < AREA_FRAMES ? a->depth : AREA_FRAMES;
	at[0] = 0;
	bytes[0] = at[1] = (uint32_t)__builtin_offsetof(struct thread_area, held);
	bytes[1] = a->state == AREA_LIVE ? held * 8 : 0;
	at[2] = (uint32_t)__builtin_offsetof(struct thread_area, frames);
	bytes[2] = a->state == AREA_LIVE ? frames * (uint32_t)sizeof a->frames[0] : 0;
	at[3] = (uint32_t)__builtin_offsetof(struct thread_area, fault_address);
	bytes[3] = (uint32_t)sizeof *a - at[3];
}

#endif
