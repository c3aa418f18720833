/* cli/found.h -- a failing schedule in hand, for hunt and minimize: cut down, run once more, written, replayed, told. */
#ifndef RADDLE_CLI_FOUND_H
#define RADDLE_CLI_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"
#include "drive/evidence.h"
#include "drive/failure.h"
#include "drive/minimize.h"
#include "drive/steer.h"

#define FOUND_REPLAYS 20u
#define FOUND_HURRY   5u                /* seconds of a run when time is over, */
#define FOUND_AT_ONCE 1u                /* and when somebody interrupts */

struct found_setup {
	struct steer_options like;      /* program and settings; input INPUT_SERVE, or it is kept now */
	unsigned jobs;
	const struct failure_rule *rule;        /* NULL: however it ends */
	const char *key;                /* failure_key() */
	bool (*shows)(const void *with, struct run_done *run);  /* without a rule: does this run show it?  NULL: every run does */
	void (*mark)(const void *with, struct run_done *run);   /* notes where a debugger stops; or NULL */
	const void *with;
	uint64_t wrong_byte;            /* of its output, from 1, that is not as it should be; 0: none */
	bool races;                     /* replays are made with the race detector */
	uint32_t policy, depth;         /* where the schedule came from */
	uint64_t seed;
	uint64_t most;                  /* runs to cut it down; 0: it is left as it is */
	const char *path;               /* where it is written */
	bool (*go_on)(void *with);      /* false: enough, take what there is */
	bool (*interrupted)(void);      /* somebody waits for us to end: one replay, a second a run.  Or NULL */
	bool hurries;                   /* time is over: one replay, a few seconds a run; so it is if its run is interrupted, once */
};

struct found {
	struct minimize_cost before, after;
	uint64_t runs;                  /* to cut it down */
	bool complete;
	struct parted parted;           /* while it was cut down; number 0: none */
	bool gone;                      /* run again it did not fail so: kept.run is the one that did */
	bool alone;                     /* one run at a time */
	struct evidence kept;           /* nothing written: why_not says why, whatever it was */
};

/* 0 and *out to be released; or -1 and why.  It may take over what is in `failed`, which is to be released all the same. */
int  found_write(const struct found_setup *setup, struct run_done *failed, struct found *out, struct err *why);
void found_release(struct found *f);

/* "bank.c:41: deadlock: a cycle of locks", the order, the end of its output. */
void found_say(struct found *f);
void found_say_replays(const struct found *f, const char *path);
void found_json(struct json *j, struct found *f, const char *path);     /* fields of an object */

#endif
