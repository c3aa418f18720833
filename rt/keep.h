/* rt/keep.h -- can a copy of this process go on from here as the process itself would, as often as one likes (keep.c)? */
#ifndef RADDLE_RT_KEEP_H
#define RADDLE_RT_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/steer.h"

struct world_call;

/* The program is about to make this system call. */
void keep_sees_call(const struct world_call *c);
static inline void keep_sees(const struct world_call *c)
{
	if (rt_unlikely(steer && steer->keep_at != UINT64_MAX))
		keep_sees_call(c);
}
bool keep_possible(void);                        /* else steer->keep_refused says why not */

#endif
