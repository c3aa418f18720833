/* rt/children.h -- processes a steered program has made, and may yet hear from (children.c). */
#ifndef RADDLE_RT_CHILDREN_H
#define RADDLE_RT_CHILDREN_H

#include <stdbool.h>

#include "rt/world.h"

void children_made(long pid);
void children_asked(const struct world_call *c, long result);   /* a wait is over: WNOHANG may have found none */
bool children_live(void);                     /* some have not ended, as far as is known: they may send signals, and SIGCHLD when they end */
bool children_may_tell(void);                 /* and the program looks for that without waiting for it: time passes as it really does */
/* Has one ended that this wait is for?  The first time it is asked children that are about to end are given the time to. */
bool children_ready(struct awaited *w);

#endif
