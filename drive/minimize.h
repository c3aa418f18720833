/* drive/minimize.h -- cuts a failing schedule down: as few switches as still make the program fail the same way. */
#ifndef RADDLE_DRIVE_MINIMIZE_H
#define RADDLE_DRIVE_MINIMIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "drive/failure.h"
#include "drive/parted.h"
#include "drive/runs.h"
#include "drive/schedule.h"

/* What a failing run costs a reader; the first that differs decides. */
struct minimize_cost {
	uint64_t switches;
	uint64_t answers;               /* that are not the usual ones */
	uint64_t threads;               /* that take turns */
	uint64_t events;                /* counts only when the script is no longer either */
};

struct minimize_setup {
	struct runs *runs;              /* opened with like.loose, */
	const struct steer_options *like;       /* with these */
	double keep_seconds;            /* candidates go on from a checkpoint that saves so much processor time; 0: from each there can be; < 0: none */
	const struct failure_rule *rule;
	const char *key;                /* failure_key() of how it is to fail */
	uint64_t most;                  /* runs at most */
	bool (*go_on)(void *with);      /* asked between runs; NULL: always */
	void *with;
};

struct minimize_result {
	struct schedule script;         /* to be followed loosely, then policy first */
	struct minimize_cost before, after;
	uint64_t runs;
	struct parted parted;           /* a run that went another way when it was made again, or number 0 */
	bool complete;                  /* no step can be left out any more; false: runs or patience were used up */
};

#define MINIMIZE_KEEP 0.0005            /* seconds: to copy a program costs less */

/* 0 and *out to be released; or -1 and why.  1: the schedule, followed loosely, does not fail that way. */
int  minimize(const struct minimize_setup *setup, const struct schedule *from, struct minimize_result *out, struct err *why);
void minimize_result_release(struct minimize_result *r);
struct minimize_cost minimize_cost(const struct steer_result *r);

#endif
