/* analyses/predict/draws.c -- runs under schedules that are drawn, for what no order made of a recording showed.
 *
 * A candidate that takes another value (GOAL_SPECULATIVE), or whose schedules were left, may lie behind a write that no order of the recorded events
 * brings to the read: such a run has to be met.  Some are drawn, the same ones each time, with the race detector on.  One in which it sees two such places race is recorded and thought about
 * like any other: only an order made of that recording, with the two side by side, confirms anything.
 * Where other orders may have other events (claim.h) runs are drawn even if nothing is open, as long as they are short: one that does something new (novel.h) is recorded.
 * Cost: DRAWS runs at most. */
#include <string.h>

#include "analyses/predict/novel.h"
#include "analyses/predict/shown.h"
#include "base/buffer.h"

#define DRAWS           60u
#define DRAWS_IN_VAIN   30u             /* no more, if nothing came of so many */
#define DRAWS_KEPT      6u
#define DRAWS_EVENTS    300000u         /* of all of them, where no candidate is open */

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

/* How many events more may be drawn, where nothing is open. */
static bool is_worth_drawing(const struct work *w, uint64_t drawn)
{
	return any_open(w) || (w->out->unclaimed && drawn < DRAWS_EVENTS);
}

int draw_runs(struct work *w, struct err *why)
{
	bool *met = mem_take(w->goals.count + 1);
	uint32_t kept = 0, last = 0;
	uint64_t drawn = 0;
	int got = 0;
	for (uint32_t i = 0; i < DRAWS && i - last < DRAWS_IN_VAIN && kept < DRAWS_KEPT && got == 0 && is_worth_drawing(w, drawn) && work_may_run(w); i++) {
		struct run_done run;
		uint32_t fresh = 0;
		size_t waiting = w->waiting.count;
		got = lab_draw(w->lab, i, &run, why);
		if (got < 0)
			break;
		drawn += run.result.steps;
		for (size_t k = 0; k < run.result.races.all.count; k++)
			fresh += mark_open(w, &run.result.races.all.at[k], met);
		got = *w->out->failed ? 0 : tell_drawn_failure(w, &run, why);
		work_remember(w, &run);
		bool novel = w->waiting.count > waiting, open = fresh && (novel || work_keep(w, &run));
		kept += open;
		last = novel || open ? i : last;
		run_done_release(&run);
	}
	mem_free(met);
	return got;
}
