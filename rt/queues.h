/* rt/queues.h -- messages that go from strand to strand through queues of System V and of POSIX, and semaphores of System V, told as EV_RELEASE and EV_ACQUIRE. */
#ifndef RADDLE_RT_QUEUES_H
#define RADDLE_RT_QUEUES_H

#include "rt/world.h"

void queues_after(const struct world_call *c, long result);    /* this call was made, or answered from the log, and did not fail */

#endif
