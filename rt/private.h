/* rt/private.h -- a run of a server keeps what it changes to itself (private.c). */
#ifndef RADDLE_RT_PRIVATE_H
#define RADDLE_RT_PRIVATE_H

#include "rt/world.h"

void private_start(void);                     /* in a run: from now on */
/* In front of a call that may change files.  May give the call another path to the same file, which lives until the next call. */
void private_before(struct world_call *c);
/* The run reaches other processes: said to raddle, once.  what: "connects to", ...; whom may be NULL. */
void private_leaves(const char *what, const char *whom);

#endif
