/* drive/endless.c -- see endless.h. */
#include "drive/endless.h"

#define FAIR_RUNS 2u                    /* that must not end either */

uint64_t endless_after(uint64_t events)
{
	return events * ENDLESS_TIMES > ENDLESS_SHORTEST ? events * ENDLESS_TIMES : ENDLESS_SHORTEST;
}

static enum fair_turns came_of(const struct steer_result *fair)
{
	if (fair->outcome == OUTCOME_LEFT || fair->late)
		return FAIR_UNKNOWN;
	return fair->outcome == OUTCOME_LIVELOCK ? FAIR_HANGS : FAIR_ENDS;
}

int endless_fair(struct runs *runs, const struct steer_result *r, enum fair_turns *out, uint64_t *made, struct err *why)
{
	*out = r->log_lost ? FAIR_UNKNOWN : FAIR_HANGS;
	for (uint64_t seed = 1; !r->log_lost && *out != FAIR_ENDS && seed <= FAIR_RUNS; seed++) {
		struct run_done fair;
		runs_give(runs, &(struct run_order){ .schedule = &r->log, .policy = STEER_RANDOM, .seed = seed, .max_steps = 2 * r->steps });
		++*made;
		if (runs_take(runs, &fair, why) <= 0)
			return -1;
		enum fair_turns came = came_of(&fair.result);
		*out = came == FAIR_HANGS ? *out : came;
		run_done_release(&fair);
	}
	return 0;
}
