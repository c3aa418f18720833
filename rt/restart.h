/* rt/restart.h -- many runs in one process: at the end of a run its memory is put back to what it was at the beginning (restart.c). */
#ifndef RADDLE_RT_RESTART_H
#define RADDLE_RT_RESTART_H

#include <stdbool.h>
#include <stdint.h>

struct world_call;

/* This process makes more than one run, and so far nothing it did stands against it. */
extern bool restart_on;

/* Called where a run begins.  Returns once for each run: false the first time, true in front of every later one. */
bool restart_here(void);
/* A later run of this process begins, and this is what the kernel blocks. */
bool restart_mask_is(uint64_t mask);
/* A run has ended: returns only if the process is to end with it. */
void restart_ended(uint32_t outcome, int32_t value);
/* The program is about to make this system call.  Some change what cannot be put back: then this run is the last one. */
void restart_sees(const struct world_call *c);
/* What it mapped: given back at the end of the run. */
void restart_mapped(const struct world_call *c, long at);
/* It gives memory back that was there before the run: hidden until the run has ended.  true: so it was done. */
bool restart_hides(const struct world_call *c);
/* The same for something else than a system call; `why` is a system call that is like it. */
void restart_not(uint32_t why);

#endif
