/* cli/output.h -- a file a command writes: it appears whole or not at all. */
#ifndef RADDLE_CLI_OUTPUT_H
#define RADDLE_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "base/file.h"

/* Written beside its name and renamed.  Devices and pipes are written as they are; so is stdout (path NULL or "-"). */
struct output { FILE *file; const char *path; char *partial, *target; };

int output_open(struct output *o, const char *path, unsigned mode, struct err *why);    /* FILE_OURS or FILE_REPORT; 0, or -1 and why: nothing to close */
/* Keeps what was written if `good`; otherwise nothing is left behind.  0, or -1: not good, or why it could not be kept.
 * keep_old: what was there before gets .old behind its name. */
int output_close(struct output *o, bool good, bool keep_old, struct err *why);

#endif
