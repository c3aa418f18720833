/* cli/started.h -- which program a command line is about: itself, or the one a test runner (ctest) starts. */
#ifndef RADDLE_CLI_STARTED_H
#define RADDLE_CLI_STARTED_H

#include "base/err.h"
#include "drive/probe.h"

struct started {
	char *const *argv;              /* what is to be run, */
	const char *path;               /* its file, NULL: found by argv[0] */
	char folder[4096];              /* where we were, with a slash, if that is another folder now; "" */
	struct probed probed;
};

/* A program that was not built with raddle is run once and asked what it starts; folder, environment and standard input are then those
 * of what it starts.  Any other program is what is to be run.  0, or -1 and why. */
int  started_find(char *const *argv, struct started *out, struct err *why);
/* A file to be written that the command line named: where it was meant to be. */
const char *started_output(struct started *s, const char *name);
void started_release(struct started *s);

#endif
