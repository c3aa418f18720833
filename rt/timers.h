/* rt/timers.h -- timers of a steered program, on the virtual clock. */
#ifndef RADDLE_RT_TIMERS_H
#define RADDLE_RT_TIMERS_H

#include "rt/world.h"

void timers_due(void);                        /* those whose time has come fire */
uint64_t timers_next(void);                   /* when the clock brings the next one, virtual nanoseconds; 0: none will */
uint64_t timers_quota(void);                  /* how many events can happen before one fires */
void timers_after(const struct world_call *c, long result);    /* a call that may have closed or copied a descriptor */
long timerfd_call(struct world_call *c);      /* timerfd_create, timerfd_settime, timerfd_gettime */

#endif
