/* rt/private.h -- a run of many keeps what it changes to itself (private.c). */
#ifndef RADDLE_RT_PRIVATE_H
#define RADDLE_RT_PRIVATE_H

#include "rt/world.h"

void private_start(void);                     /* in a run: from now on */
/* In front of a call that may change files.  May give the call another path to the same file, which lives until the next call. */
void private_before(struct world_call *c);
/* In front of a call that may reach other processes. */
void private_reaches(const struct world_call *c);
/* In front of a call that makes a process, which nobody watches: what that changes where runs keep their files is the run's too. */
void private_before_process(void);
/* The same file with a place in it of its own; one the run may write to, where the run keeps what it changes.  < 0: it cannot be had. */
long private_open_again(long fd, long flags);
/* The run reaches other processes: said to raddle, once.  what: "connects to", ...; whom may be NULL. */
void private_leaves(const char *what, const char *whom);

#endif
