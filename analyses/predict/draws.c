/* analyses/predict/draws.c -- runs under schedules that are drawn, for what no order made of a recording showed.
 *
 * A candidate that takes another value (GOAL_SPECULATIVE), or whose schedules were left, may lie behind a write that no order of the recorded events
 * brings to the read: such a run has to be met.  Some are drawn, the same ones each time, with the race detector on.  One in which it sees two such places race is recorded and thought about
 * like any other: only an order made of that recording, with the two side by side, confirms anything.  Cost: DRAWS runs at most, none where nothing is open. */
#include <string.h>

#include "analyses/predict/shown.h"
#include "base/buffer.h"

#define DRAWS           60u
#define DRAWS_IN_VAIN   30u             /* no more, if nothing came of so many */
#define DRAWS_KEPT      6u

static bool is_open(const struct goal *g)
{
	return g->kind == AIM_RACE && g->finding && !g->raced && (g->state == GOAL_SPECULATIVE || g->state == GOAL_LEFT);
}

static bool any_open(const struct work *w)
{
	for (size_t i = 0; i < w->goals.count; i++)
		if (is_open(&w->goals.at[i]))
			return true;
	return false;
}

/* Marks the open goals that are of these two lines, whatever object they were of; how many. */
static uint32_t mark_open(struct work *w, const struct race *race, bool *met)
{
	uint32_t count = 0;
	struct race_sign sign = sign_of_race(race);
	struct buffer key = { 0 };
	int first = strcmp(sign.lines[0], sign.lines[1]) > 0;
	buffer_print(&key, "race|%s|%s|", sign.lines[first], sign.lines[!first]);
	for (size_t i = 0; i < w->goals.count; i++)
		if (is_open(&w->goals.at[i]) && !met[i] && !strncmp(w->goals.at[i].key, (const char *)key.at, key.count)) {
			met[i] = true;
			count++;
		}
	buffer_release(&key);
	return count;
}

int draw_runs(struct work *w, struct err *why)
{
	bool *met = mem_take(w->goals.count + 1);
	uint32_t kept = 0, last = 0;
	int got = 0;
	for (uint32_t i = 0; i < DRAWS && i - last < DRAWS_IN_VAIN && kept < DRAWS_KEPT && got == 0 && any_open(w) && work_may_run(w); i++) {
		struct run_done run;
		uint32_t fresh = 0;
		got = lab_draw(w->lab, i, &run, why);
		if (got < 0)
			break;
		for (size_t k = 0; k < run.result.races.all.count; k++)
			fresh += mark_open(w, &run.result.races.all.at[k], met);
		if (fresh && work_keep(w, &run)) {
			kept++;
			last = i;
		}
		run_done_release(&run);
	}
	mem_free(met);
	return got;
}
