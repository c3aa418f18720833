/* rt/random.h -- what a steered program draws from outside is the same in every run. */
#ifndef RADDLE_RT_RANDOM_H
#define RADDLE_RT_RANDOM_H

#include "rt/world.h"

void random_start(void);                        /* the first strand is there: what the kernel has drawn for the process */
void random_fill(void *to, uint64_t bytes);     /* the next bytes of the running strand */
void random_instead(const struct world_call *c, long result);   /* the call was made: what it drew is replaced */

#endif
