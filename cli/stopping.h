/* cli/stopping.h -- where `raddle replay --gdb` stops when what is wrong is what the program wrote. */
#ifndef RADDLE_CLI_STOPPING_H
#define RADDLE_CLI_STOPPING_H

#include <stdint.h>

#include "drive/schedule.h"

/* A schedule that was just written to `path`: a debugger stops before the call that puts out this byte,
 * counted from 1, of standard output and standard error.  What cannot be found is left as it is. */
void stop_at_output(struct schedule *s, const char *path, uint64_t byte);

#endif
