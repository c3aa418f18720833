/* drive/hunt.h -- runs schedules of a program until one fails. */
#ifndef RADDLE_DRIVE_HUNT_H
#define RADDLE_DRIVE_HUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "drive/failure.h"
#include "drive/early.h"
#include "drive/parted.h"
#include "drive/races_kept.h"
#include "drive/runs.h"

#define HUNT_DEPTHS   5u                /* pct's depths, 1 to HUNT_DEPTHS - 1 in a mix */

struct hunt_counts {
	uint64_t runs, distinct;        /* orders: of turns and answers */
	uint64_t unknown;               /* runs that say nothing, */
	uint64_t slow;                  /* and those stopped because they took too long */
	char said[STEER_SAY];           /* of the first of these; "" there is none */
	uint64_t by_policy[STEER_POS + 1];
	uint64_t pct_by_depth[65];
	uint64_t events;                /* of the first run, and what pct is told to expect */
	uint64_t most_events, most_threads;
	double seconds;
};

struct hunt_setup {
	struct runs_setup runs;         /* like.max_steps 0: endless_after() those of the first one */
	const struct failure_rule *rule;
	int policy;                     /* enum steer_policy, or HUNT_MIX */
	uint32_t depth;                 /* of pct; 0: 1, 2, 3, ... in turn */
	uint64_t most;                  /* runs; 0 no limit */
	double seconds;                 /* 0 no limit */
	uint64_t seed;
	bool hang_fails;                /* a run stopped by like.max_seconds has failed */
	bool (*go_on)(const struct hunt_counts *so_far);
};
#define HUNT_MIX (-1)

struct hunt_result {
	struct hunt_counts counts;
	bool interrupted;
	uint64_t restarted;             /* runs that were followed by another one in their process, */
	uint64_t checked;               /* and those made again by themselves */
	uint32_t refused;               /* why each run had a process of its own: steer_result.restart_refused; 0: it had not, or nobody asked */
	struct parted parted;           /* the first run of these that went another way; number 0: none */
	struct races_kept races;        /* of all runs, if runs.races */
	struct early early;             /* of all runs */
	uint64_t outside_runs;          /* that did what other runs or processes could notice, */
	char outside[STEER_TEXT];       /* and what the first of them did, as steer_result.outside has it */
	struct steer_options like;      /* of the runs after the first: with max_steps */
	/* if one failed: */
	uint64_t number;                /* which run, from 1 */
	struct run_order order;
	struct run_done run;
	struct buffer key;              /* failure_key() */
	struct map seen;
};

/* 1 found, 0 not, -1 and why.  Release it in any case. */
int  hunt(const struct hunt_setup *setup, struct hunt_result *out, struct err *why);
void hunt_result_release(struct hunt_result *r);
/* The probability that `pct` would have missed a bug of this depth in as many runs as there were of it (Burckhardt and others: in each
 * run it is found with probability 1 / (threads * events ^ (depth - 1)) at least); 1 when there were none. */
double hunt_missed(const struct hunt_counts *c, uint32_t depth);

#endif
