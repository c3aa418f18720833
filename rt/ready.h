/* rt/ready.h -- calls that say which descriptors can be read from, without reading: poll, select, epoll_wait and their kin; signals read from descriptors. */
#ifndef RADDLE_RT_READY_H
#define RADDLE_RT_READY_H

#include "rt/world.h"

void ready_after(const struct world_call *c, long result);     /* this call was made, or answered from the log, and did not fail */
void ready_sent(int number, uint64_t pc);                      /* before a signal is sent that is read from a descriptor */
void ready_prepared(int number, uint64_t pc);                  /* its handler is being installed, a timer that sends it set; above 64: one that starts a thread */
void ready_taken(int number, uint64_t pc);                     /* its handler begins, a wait for it ends, that thread is started */

#endif
