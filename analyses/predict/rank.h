/* analyses/predict/rank.h -- which group of aims is tried next.  A limit of runs, or of time, may come before the last one.
 *
 * Of races first what the detector saw in the recorded run, then the first pair of places of every object, the second, and so on; before circles of waits,
 * accesses in between, and turns.  Where there is much to try, groups are asked about (closed.h) before they are tried, in the same order: those the recorded
 * values stand against come last.  Questions may cost more than runs do, so they are asked while they have cost no more than some constant and what the runs so far have:
 * where they are cheap all of them come before the first run; else groups that were not asked yet are tried as they come, and one that is asked later moves to its rank then.
 * Costs are counted in steps and events, not in time: the same recording gives the same runs. */
#ifndef RADDLE_PREDICT_RANK_H
#define RADDLE_PREDICT_RANK_H

#include "analyses/predict/work.h"

#define RANK_STEPS_FIRST (1u << 27)     /* steps of questions (order_spent()) before the first run: some seconds */
#define RANK_STEPS_A_RUN (1u << 12)     /* that a run is worth, and so many for each of its events: */
#define RANK_STEPS_AN_EVENT 32u

struct ranking {
	struct work *work;
	const struct recording *recording;
	struct aims *aims;
	struct turn { uint32_t group, nth; } *turns;
	size_t at;                      /* place in turns, */
	uint32_t row;                   /* and in the order of kinds and ranks */
	size_t ask_at;                  /* the same of questions */
	uint32_t ask_row, asked;
	bool asks;
};

void rank_begin(struct ranking *k, struct work *w, const struct recording *r, struct aims *aims);
int  rank_next(struct ranking *k, struct aims_group **group, struct err *why);      /* NULL: that was the last.  0, or -1 and why */
void rank_end(struct ranking *k);

#endif
