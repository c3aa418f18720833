/* wire/handed.h -- the records of runs another one of the same process followed (rt/restart.c), as raddle is given them.
 *
 * The ring has room for one run.  At the end of a run that is not the last one, what it left there is copied to a row of bytes in
 * wire/steer.h's memory (handed_at, handed_room of them), which is gone through again and again:
 *
 *   struct handed_run | struct thread_area, `areas` times | what segments held, head included, `segments` times | struct handed_run | ...
 *
 * The program writes behind `handed` bytes and raddle reads from `handed_taken` on; both only grow, modulo the room.  Nothing stands across
 * the end of the row: a HANDED_REST fills it.  Segments stand in the order in which they were taken, so those of one lane by their
 * numbers; `used` of their heads says how long they are, a multiple of 8. */
#ifndef RADDLE_WIRE_HANDED_H
#define RADDLE_WIRE_HANDED_H

#include <stdint.h>

#include "wire/ring.h"

enum handed_what { HANDED_RUN = 1, HANDED_REST = 2 };

struct handed_run {
	uint64_t bytes;           /* itself and all behind it that belongs to it; a multiple of 8 */
	uint32_t what;            /* enum handed_what */
	uint32_t areas, segments;
	uint32_t modules;         /* entries of the ring's table that are of this run too; a later one may load more */
};

#endif
