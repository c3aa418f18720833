/* rt/altstack.h -- alternate stacks for signal handlers in a steered run (altstack.c). */
#ifndef RADDLE_RT_ALTSTACK_H
#define RADDLE_RT_ALTSTACK_H

#include <signal.h>

#include "rt/world.h"

extern bool altstacks_on;                     /* some strand has had one */
long altstack_call(const struct world_call *c);       /* sigaltstack: 0 or -errno */
void altstack_load(const struct strand *s);   /* `s` has come to run */
/* Runs it on the calling strand's alternate stack if a handler with these flags is to run there; *found: that stack, if there is one.
 * False: nothing was run. */
bool altstack_run(int flags, stack_t *found, void (*run)(void *), void *with);

#endif
