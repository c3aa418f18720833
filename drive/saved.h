/* drive/saved.h -- a steered run written down: its schedule, and beside it what came from outside.  Written, and read to be followed again. */
#ifndef RADDLE_DRIVE_SAVED_H
#define RADDLE_DRIVE_SAVED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/vec.h"
#include "drive/schedule.h"
#include "drive/steer.h"

/* Writes the log of a run made with INPUT_KEEP as a schedule that stands alone, and its input beside it (unless it was lost).
 * 0, or -1 and why: nothing is left behind. */
int saved_write(struct steer_result *r, const struct steer_options *o, const char *path, struct err *why);
/* What was written so, once more without input, which is removed: a replay asks the outside.  0, or -1 and why. */
int saved_without_input(struct steer_result *r, const char *path, struct err *why);
void saved_remove(const char *path);            /* and its input; it need not be there */
/* The first of fail-1.sched, fail-2.sched, ... (`word` fail) in a folder (ends with a slash, or is "") that does not exist, nor its input.
 * It is made, empty, so that nobody else takes it; what is not written by the next call, or by the end of the process, is removed. */
void saved_next_name(const char *folder, const char *word, char *into, size_t room);

struct saved_how {
	char *const *argv;              /* the program to run; NULL: the schedule's own, if its build id is still the same, */
	bool any_build;                 /* or another */
	bool no_input;                  /* the outside is asked again */
};

struct saved {
	struct schedule schedule;
	VEC(char *) argv;               /* the schedule's own */
	struct steer_options options;   /* what a replay runs with */
};

/* 0 and *out to be closed; or -1 and why (code 3: damaged, for another program, ...). */
int  saved_open(struct saved *out, const char *file, const struct saved_how *how, struct err *why);
void saved_close(struct saved *s);

#endif
