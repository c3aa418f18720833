/* drive/probe.h -- what a program starts: a test runner is asked for the test it would run, so that this can be run by itself. */
#ifndef RADDLE_DRIVE_PROBE_H
#define RADDLE_DRIVE_PROBE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

typedef VEC(char *) probed_texts;

struct probed {
	const char *exe, *folder;       /* the first program built with raddle that it started, and where */
	const char *input;              /* its standard input, as /proc has it */
	probed_texts argv, environment; /* end with NULL */
	unsigned others;                /* started besides */
	struct arena memory;
};

/* Runs it once, as it is, without its output.  1 and *out to be released; 0: it started none; -1 and why. */
int  probe_run(char *const *argv, struct probed *out, struct err *why);
void probed_release(struct probed *p);

#endif
