/* rt/sysv.h -- semop, semtimedop, msgsnd and msgrcv of a steered program (sysv.c). */
#ifndef RADDLE_RT_SYSV_H
#define RADDLE_RT_SYSV_H

#include "rt/world.h"

bool sysv_never_waits(const struct world_call *c);    /* it was told not to */
bool sysv_is_ready(const struct world_call *c);       /* it would go through now, if only to be refused */
long sysv_perform(const struct world_call *c);        /* without waiting */
bool sysv_goes_on(const struct world_call *c, long result);    /* that is what it was answered, and it is to wait on */
void sysv_made(const struct world_call *c, long result);       /* after any call: was it one that makes a set or a queue? */
bool sysv_is_ours(const struct world_call *c);        /* only this process can end its wait */

#endif
