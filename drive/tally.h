/* drive/tally.h -- what the runs of a hunt come to, counted in the order of their numbers, in whatever order they are done: the counts
 * up to a run are the same however many are made at a time, and however they are made. */
#ifndef RADDLE_DRIVE_TALLY_H
#define RADDLE_DRIVE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "drive/hunt.h"

#define TALLY_AHEAD (1u << 18)          /* numbers from the first run that is not known, it included, that can be put */

struct told {
	bool known, unknown, slow;
	uint32_t policy, depth;
	uint64_t log_hash, events, threads;
	struct races_told *races;       /* or NULL; the tally's from then on */
};

struct tally {
	struct hunt_result *out;        /* counts, seen and races are kept there */
	struct told *ahead;             /* by number % TALLY_AHEAD */
	uint64_t next;                  /* all before it are counted */
};

void tally_open(struct tally *t, struct hunt_result *out);
/* Run `number`, from 0, not put before; next <= number < next + TALLY_AHEAD. */
void tally_put(struct tally *t, uint64_t number, const struct told *told);
/* Counts what is known without a gap, up to `last`. */
void tally_count(struct tally *t, uint64_t last);
/* Counts what is known up to `last`, gaps or not: there was no time to close them. */
void tally_close(struct tally *t, uint64_t last);

#endif
