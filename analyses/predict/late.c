/* analyses/predict/late.c -- runs under a weak memory model, for goals that are late stores: all is seen as under SC, but one store of one thread
 * reaches memory behind an access of another that came after it, while its own thread has gone on.
 *
 * What shows then, and did not under SC: the run fails, or the detector says that two accesses race of which one, a store, waited when the other was
 * made, or reached memory right before it, with nothing in between.  That is what is adjacent here: the store could as well have come right behind. */
#include <string.h>

#include "analyses/predict/script.h"
#include "analyses/predict/shown.h"
#include "analyses/predict/tell.h"
#include "trace/held.h"
#include "trace/objects.h"

#define TRIES_A_STORE 8u                /* runs for one goal in one recording */
#define STOPS_MOST    8u                /* and where both are where SC does not let them be: points at which the store's thread may stop, */
#define BEHIND_MOST   6u                /* points the other may go on then */

/* ---------------------------------------------------------------- stores that wait, in a trace */

enum { LINE_FIRST = 1, LINE_SECOND = 2 };       /* tags: the line of which side of the race the store is at */

static uint32_t lines_at(const struct race_sign *s, const struct place *place)
{
	char line[160];
	place_short(place, line, sizeof line);
	return (!strcmp(line, s->lines[0]) ? LINE_FIRST : 0) | (!strcmp(line, s->lines[1]) ? LINE_SECOND : 0);
}

struct stores { struct held *waiting; VEC(struct held_piece) fresh; uint32_t fresh_of; };        /* fresh: of a thread, in memory since the last event */

static void reaches_memory(struct stores *s, const struct event *flush)
{
	struct held_piece p;
	if (s->fresh.count && s->fresh_of != flush->arg)
		vec_clear(&s->fresh);
	s->fresh_of = (uint32_t)flush->arg;
	uint64_t end = flush->object + flush->size;
	for (uint64_t at = flush->object; at < end; at = at / 8 * 8 + 8)
		for (uint8_t mask = held_mask(at, end - at); mask && held_leave(s->waiting, (uint32_t)flush->arg, at / 8 * 8, mask, &p);) {
			mask &= (uint8_t)~p.mask;
			vec_push(&s->fresh, p);
		}
}

static bool meets_fresh(const struct stores *s, uint32_t thread, uint64_t word, uint8_t mask, uint32_t lines)
{
	for (size_t i = 0; i < s->fresh.count && thread != s->fresh_of; i++)
		if (s->fresh.at[i].word == word && s->fresh.at[i].mask & mask && s->fresh.at[i].tag & lines)
			return true;
	return false;
}

static bool meets_waiting(const struct stores *s, uint32_t thread, uint64_t word, uint8_t mask, uint32_t lines, uint32_t threads)
{
	struct held_piece p;
	for (uint32_t t = 0; t < threads; t++)
		if (t != thread && held_own(s->waiting, t, word, &p) && p.tag & lines && p.mask & mask)
			return true;
	return false;
}

/* Does the access meet a store of another thread at one of these lines? */
static bool meets(const struct stores *s, const struct event *ev, uint32_t threads, uint32_t lines)
{
	struct touched range[2];
	uint32_t count = event_touches(ev, NULL, range);
	for (uint32_t i = 0; i < count; i++)
		for (uint64_t at = range[i].start, end = at + range[i].bytes; at < end && at - range[i].start < SCREEN_RANGE; at = at / 8 * 8 + 8) {
			uint8_t mask = held_mask(at, end - at);
			if (meets_fresh(s, ev->thread.i, at / 8 * 8, mask, lines) || meets_waiting(s, ev->thread.i, at / 8 * 8, mask, lines, threads))
				return true;
		}
	return false;
}

static void note_event(struct stores *s, const struct event *ev, uint32_t lines)
{
	struct held_piece left;
	if (ev->kind == EV_FLUSH)
		reaches_memory(s, ev);
	else if (event_class((enum event_kind)ev->kind) != CLASS_BOOK)
		vec_clear(&s->fresh);
	if (ev->waits)
		held_store(s->waiting, ev, lines, 0);
	while (held_surplus(s->waiting, ev->thread.i, &left))
		;
}

/* 1: the two met, 0: not so, -1 and why: the trace cannot be read. */
static int met_in_trace(const char *path, const struct race_sign *sign, struct err *why)
{
	struct trace *t = NULL;
	struct merged *m = NULL;
	const struct event *ev;
	struct stores s = { .waiting = held_new() };
	bool met = false;
	int got = trace_open(&t, path, &(struct trace_options){ 0 }, why);
	if (got == 0)
		got = merged_open(&m, t, why);
	uint32_t threads = got == 0 ? trace_thread_count(t) : 0;
	while (got >= 0 && !met && (got = merged_next_in_place(m, &ev, why)) > 0) {
		uint32_t lines = event_is_access(ev) ? lines_at(sign, ev->place) : 0;
		met = lines && meets(&s, ev, threads, (lines & LINE_FIRST ? LINE_SECOND : 0) | (lines & LINE_SECOND ? LINE_FIRST : 0));
		note_event(&s, ev, lines);
	}
	held_free(s.waiting);
	vec_release(&s.fresh);
	merged_close(m);
	trace_close(t);
	return got < 0 ? -1 : met;
}

/* ---------------------------------------------------------------- races */

#define RACE_KEY 640

/* The goal of a race, or NULL; `key` is made to look for it. */
static struct goal *goal_of_race(struct work *w, const struct race_sign *s, char key[RACE_KEY])
{
	int first = strcmp(s->lines[0], s->lines[1]) > 0;
	size_t length = (size_t)snprintf(key, RACE_KEY, "race|%s|%s|", s->lines[first], s->lines[!first]);
	for (size_t i = 0; i < w->goals.count; i++)
		if (!strncmp(w->goals.at[i].key, key, length) && sign_is_of(s, w->goals.at[i].key + length))
			return &w->goals.at[i];
	snprintf(key + length, RACE_KEY - length, "%s", s->object);
	return NULL;
}

/* One that no recording had both accesses of. */
static struct goal *goal_made(struct work *w, const char *key, const struct race *race)
{
	uint32_t number = names_put(&w->keys, key, strlen(key));
	struct goal *g = vec_add(&w->goals);
	*g = (struct goal){ .kind = AIM_RACE, .key = names_text(&w->keys, number), .settled = true,
		.finding = findings_add(&w->out->found, FINDING_WEAK_MEMORY, FINDING_PREDICTED) };
	g->finding->object.name = findings_text(&w->out->found, race->memory.name ? race->memory.name : "");
	w->out->candidates++;
	w->out->settled++;
	return g;
}

/* A race no run under SC showed, if it shows for what it is in a trace of the run.  *traced: there is one. */
static int look_at_race(struct work *w, struct run_done *run, const struct race *race, bool *traced, struct err *why)
{
	char key[RACE_KEY];
	struct race_sign sign = sign_of_race(race);
	struct goal *g = goal_of_race(w, &sign, key);
	struct run_done again;
	if (g && g->state >= GOAL_REACHED)
		return 0;
	if (!*traced && lab_trace(w->lab, &run->result.log, &again, why) < 0)
		return -1;
	if (!*traced)
		run_done_release(&again);
	*traced = true;
	int met = met_in_trace(w->lab->story, &sign, why);
	if (met <= 0)
		return met;
	g = g ? g : goal_made(w, key, race);
	g->finding->kind = FINDING_WEAK_MEMORY;
	return shown_keep_race(w, g, &sign, &run->result.log, why);
}

static int look_for_races(struct work *w, struct run_done *run, struct err *why)
{
	bool traced = false;
	int got = 0;
	for (size_t i = 0; i < run->result.races.all.count; i++)
		for (const struct race *race = &run->result.races.all.at[i]; race && got == 0 && work_may_run(w); race = race->also)
			got = look_at_race(w, run, race, &traced, why);
	return got;
}

/* ---------------------------------------------------------------- one goal */

/* Does the same order fail the same way when the store is not late?  Then it is no matter of memory.  1, 0, -1 and why. */
static int fails_anyway(struct work *w, const struct recording *r, const struct aim *aim, uint32_t way, struct run_done *run, struct err *why)
{
	struct schedule script;
	struct run_done other;
	struct buffer key = { 0 };
	if (script_make(&script, r, aim, way, NULL) != ORDER_YES)
		return 0;
	int got = lab_run(w->lab, &script, true, NULL, &other, why);
	schedule_release(&script);
	if (got < 0)
		return -1;
	failure_key(&w->lab->rule, run, &key);
	bool same = shows_same_failure(w, &other, (const char *)key.at);
	buffer_release(&key);
	run_done_release(&other);
	return same;
}

static int look_at_run(struct work *w, const struct recording *r, struct goal *g, const struct aims_group *group, const struct aim *aim, uint32_t way,
	struct run_done *run, struct err *why)
{
	bool failed = lab_failed(w->lab, run);
	int anyway = failed ? fails_anyway(w, r, aim, way, run, why) : 0;
	int got = anyway < 0 ? -1 : failed && !anyway ? look_for_failure(w, r, group, aim, run, why) : 0;
	if (got == 1 || (failed && !anyway))
		g->state = got == 1 ? GOAL_REACHED : GOAL_OTHERWISE;
	return got < 0 ? -1 : got == 1 ? 0 : look_for_races(w, run, why);
}

static int try_once(struct work *w, const struct recording *r, size_t goal, const struct aims_group *group, const struct aim *aim, uint32_t way, uint32_t *tries,
	struct err *why)
{
	struct try t;
	if (try_way(w, r, &w->goals.at[goal], aim, way, &t, why) < 0)
		return -1;
	if (!t.made)
		return 0;
	++*tries;
	early_add(&w->early, &t.run.result);
	int got = look_at_run(w, r, &w->goals.at[goal], group, aim, way, &t.run, why);
	try_release(&t);
	return got;
}

/* No order of the two alone fails.  Two that are inside at once may take one more change of threads to be seen there: the store's thread stops somewhere on
 * its way, the other goes on for a while behind its access, then the first one. */
static int try_behind(struct work *w, const struct recording *r, size_t goal, const struct aims_group *group, struct err *why)
{
	const struct aim *like = &group->aims.at[0];
	const struct moment *store = &like->at[LATE_STORE];
	uint64_t far = like->at[LATE_FAR].nth, stops = far - store->nth < STOPS_MOST ? far - store->nth : STOPS_MOST;
	uint32_t tries = 0;
	for (uint64_t stop = 1; stop <= stops; stop++)
		for (uint32_t behind = 1; behind <= BEHIND_MOST && w->goals.at[goal].state < GOAL_REACHED && work_may_run(w); behind++) {
			struct aim aim = *like;
			aim.behind = behind;
			aim.at[LATE_FAR] = recording_behind(r, store->spot.thread, store->index, store->nth + stop);
			if (try_once(w, r, goal, group, &aim, 1, &tries, why) < 0)
				return -1;
		}
	return 0;
}

int goal_try_late(struct work *w, const struct recording *r, struct goal *g, const struct aims_group *group, struct err *why)
{
	uint32_t tries = 0;
	size_t number = (size_t)(g - w->goals.at);      /* races that show are goals too, and may move it */
	for (size_t i = 0; i < group->aims.count; i++) {
		const struct aim *aim = &group->aims.at[i];
		for (uint32_t way = 0; way < script_ways(aim) && w->goals.at[number].state < GOAL_REACHED && tries < TRIES_A_STORE && work_may_run(w); way++)
			if (try_once(w, r, number, group, aim, way, &tries, why) < 0)
				return -1;
	}
	return tries ? try_behind(w, r, number, group, why) : 0;
}
