/* cli/debug.h -- a replay under gdb: where it stops, what it is started with.  The other half is cli/raddle-gdb.py. */
#ifndef RADDLE_CLI_DEBUG_H
#define RADDLE_CLI_DEBUG_H

#include <stdint.h>

#include "base/err.h"
#include "drive/schedule.h"
#include "drive/steer.h"

/* Where to stop: "" where it fails, a step of the schedule, or <thread>:<event>.  0; or -1 and why (code 2). */
int debug_stop_at(const struct schedule *s, const char *file, const char *text, uint64_t *out, struct err *why);
/* The exit code; or -1 and why. */
int debug_replay(const struct schedule *s, const char *text, struct steer_options *steer, struct err *why);

/* raddle DEBUG_START <fd>: what gdb starts.  Becomes the program, with the arguments and the environment of a replay without gdb. */
#define DEBUG_START "start-under-gdb"
int debug_start(char *const *words);

#endif
