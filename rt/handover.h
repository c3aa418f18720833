/* rt/handover.h -- what goes from strand to strand through pipes, socket pairs and event descriptors of the program's own, told as EV_RELEASE and EV_ACQUIRE. */
#ifndef RADDLE_RT_HANDOVER_H
#define RADDLE_RT_HANDOVER_H

#include "rt/world.h"

/* This call was made, or answered from the log; `more`: it goes on, and `result` is what has been sent so far. */
void handover_after(const struct world_call *c, long result, bool more);
/* Somebody was told that he can read there; ended: that nothing more comes. */
void handover_seen(long fd, bool ended, uint64_t pc);

#endif
