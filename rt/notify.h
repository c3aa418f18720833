/* rt/notify.h -- threads that timers start (notify.c); timers are known by their numbers in timers.c. */
#ifndef RADDLE_RT_NOTIFY_H
#define RADDLE_RT_NOTIFY_H

#include <signal.h>

#include "rt/steer.h"

#define NOTIFY_TIMERS 256u
#define NOTIFY_SIGNAL 65                /* timer i counts as signal 65 + i (ready.h) */

int notify_by_thread(uint32_t timer, const struct sigevent *event);    /* from now on; 0 or an errno */
bool notify_fired(uint32_t timer);            /* false: it owes a thread already */
void notify_forget(uint32_t timer);

#endif
