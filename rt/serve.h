/* rt/serve.h -- a steered program started once that makes many runs (serve.c; what is said: wire/serve.h). */
#ifndef RADDLE_RT_SERVE_H
#define RADDLE_RT_SERVE_H

#include <stdbool.h>
#include <stdint.h>

/* This process is to become a server, and has not done so yet. */
extern bool serve_waits;

/* Called in front of whatever is the first thing that may depend on the run's order, or that others may notice.  Returns in a run. */
void serve(void);
/* In front of another run of the same process (restart.c). */
void serve_again(void);
/* A run that has exited says so, and waits for the next order. */
void serve_stays(int32_t code);

/* In front of reading step steer->keep_at of the script, or one behind it: the run becomes a server.  Returns in runs made of it, which have
 * a script of their own from that step on; or at once, if it cannot. */
void serve_keep(void);

/* A run that others part from stands where a fault is (KEEP_PARTS).  true in a copy, which makes it; false in the run itself, which goes on: there may be
 * another order. */
bool serve_part(void);
#endif
