/* cli/golden.h -- a program recorded several times, for raddle determinism: the first run is looked at, the others must agree. */
#ifndef RADDLE_CLI_GOLDEN_H
#define RADDLE_CLI_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "cli/updates.h"
#include "trace/reader.h"

struct golden {
	char folder[64];                /* of the traces, removed again */
	struct trace *first;
	struct program_updates updates; /* of the program */
	uint64_t runs, parted;          /* how many were made; how many of them part from the first */
	char text[600];                 /* how the first of those does */
};

/* Records `argv` so often and holds each run against the first: exit, standard output, events.  0, or -1 and why.  Release it either way. */
int  golden_run(struct golden *g, char **argv, uint64_t runs, struct err *why);
void golden_release(struct golden *g);

#endif
