/* analyses/predict/rank.c -- see rank.h. */
#include "analyses/predict/rank.h"

#include <stdlib.h>

#include "analyses/predict/closed.h"

#define RANKED_LEAST    8u              /* candidates: fewer are tried sooner than asked about */
#define RANKED_MOST     4096u           /* that are asked about before they are tried */

/* ---- whose turn it is ---- */

/* Circles of waits are few, and are tried before what values stand against; races that values stand against are findings, and share runs (tries.c): they come before what is none. */
static const struct { enum aim_kind kind; enum aims_rank rank; } order[] = { { AIM_RACE, RANK_POSSIBLE }, { AIM_RACE, RANK_UNASKED },
	{ AIM_WAITS, RANK_POSSIBLE }, { AIM_HANDLED, RANK_POSSIBLE }, { AIM_RACE, RANK_AGAINST }, { AIM_BETWEEN, RANK_POSSIBLE }, { AIM_BETWEEN, RANK_UNASKED },
	{ AIM_TURN, RANK_POSSIBLE }, { AIM_TURN, RANK_UNASKED }, { AIM_BETWEEN, RANK_AGAINST }, { AIM_TURN, RANK_AGAINST }, { AIM_LATE, RANK_POSSIBLE } };
static const enum aim_kind asked_of[] = { AIM_RACE, AIM_BETWEEN, AIM_TURN };

#define COUNT(array) (sizeof (array) / sizeof *(array))

static int by_nth(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;
	if (x->nth != y->nth)
		return x->nth < y->nth ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static struct turn *turns_of(const struct work *w, const struct aims *aims)
{
	struct turn *turns = mem_take((aims->groups.count + 1) * sizeof *turns);
	struct map met = { 0 };
	for (uint32_t i = 0; i < aims->groups.count; i++) {
		const struct aims_group *g = &aims->groups.at[i];
		turns[i].group = i;
		if (g->kind == AIM_RACE && !race_was_seen(w, g))
			turns[i].nth = (uint32_t)++*map_put(&met, (uint64_t)(uintptr_t)g->object, NULL);
	}
	map_release(&met);
	qsort(turns, aims->groups.count, sizeof *turns, by_nth);
	return turns;
}

void rank_begin(struct ranking *k, struct work *w, const struct recording *r, struct aims *aims)
{
	uint32_t open = 0;
	*k = (struct ranking){ .work = w, .recording = r, .aims = aims, .turns = turns_of(w, aims) };
	for (size_t i = 0; !r->weak && i < aims->groups.count; i++)
		open += goal_of(w, r, &aims->groups.at[i])->state < GOAL_REACHED;
	k->asks = open >= RANKED_LEAST && w->sc.runs;
	for (size_t i = 0; k->asks && i < aims->groups.count; i++)
		if (aims->groups.at[i].kind != AIM_WAITS && aims->groups.at[i].kind != AIM_HANDLED)
			aims->groups.at[i].rank = RANK_UNASKED;
}

void rank_end(struct ranking *k)
{
	mem_free(k->turns);
}

/* ---- asking ---- */

static bool may_ask(const struct ranking *k)
{
	uint64_t run = RANK_STEPS_A_RUN + RANK_STEPS_AN_EVENT * k->recording->events;
	return k->work->values.spent < RANK_STEPS_FIRST + k->work->sc.made * run && work_may_run(k->work);
}

/* The next one that is to be asked about; NULL: there is none. */
static struct aims_group *next_asked(struct ranking *k)
{
	for (; k->asked < RANKED_MOST && k->ask_row < COUNT(asked_of); k->ask_row++, k->ask_at = 0)
		for (; k->ask_at < k->aims->groups.count; k->ask_at++) {
			struct aims_group *group = &k->aims->groups.at[k->turns[k->ask_at].group];
			if (group->kind == asked_of[k->ask_row] && !group->looked_at && goal_of(k->work, k->recording, group)->state < GOAL_REACHED)
				return group;
		}
	return NULL;
}

/* As many questions as there is room for.  0, or -1 and why. */
static int ask_some(struct ranking *k, struct err *why)
{
	struct aims_group *group;
	enum closed closed;
	while (k->asks && may_ask(k) && (group = next_asked(k))) {
		bool known = closed_at_first(k->work, k->recording, goal_of(k->work, k->recording, group), group, &closed, why);
		if (known && closed == VALUES_ERROR)
			return -1;
		if (!known)
			continue;
		group->rank = closed <= VALUES_UNLIKELY ? RANK_AGAINST : closed == VALUES_DOUBT ? RANK_UNASKED : RANK_POSSIBLE;
		group->doubted = closed == VALUES_DOUBT;
		k->ask_at++;
		k->asked++;
		k->at = k->row = 0;             /* it may have moved before what comes next */
	}
	return 0;
}

int rank_next(struct ranking *k, struct aims_group **group, struct err *why)
{
	*group = NULL;
	if (ask_some(k, why) < 0)
		return -1;
	for (; k->row < COUNT(order); k->row++, k->at = 0)
		for (; k->at < k->aims->groups.count; k->at++) {
			struct aims_group *g = &k->aims->groups.at[k->turns[k->at].group];
			if (g->kind != order[k->row].kind || g->rank != order[k->row].rank || g->looked_at)
				continue;
			g->looked_at = true;
			*group = g;
			return 0;
		}
	return 0;
}
