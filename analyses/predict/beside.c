/* analyses/predict/beside.c -- races the detector saw in runs that were made for something else.
 *
 * Such a run is a real one, and its log a schedule; that nothing orders the two accesses in it is what the detector says.  What is not yet so is that they are next to each other.  So when all
 * candidates have had their runs, or few are left, each that no run of its own showed, and that was seen so, is tried once more: the log is followed with the
 * thread of the earlier access standing in front of it until the other thread stands in front of its own; then the two come, one after the other.  Confirmed is what that run shows, if they did.
 *   (1) of a candidate the first run is kept that it was seen in; a log once, whatever was seen in it;
 *   (2) candidates of the same two lines are told apart by their objects.
 * Runs: BESIDE_RUNS at most for each, which are held back for them (work_may_run()). */
#include "analyses/predict/beside.h"

#include <string.h>

#include "analyses/predict/neighbours.h"
#include "trace/objects.h"

#define BESIDE_MOST 64u                 /* candidates waiting for it */

/* ---------------------------------------------------------------- while runs are made */

/* The candidate of these lines and this object, or NULL. */
static struct goal *goal_of_race(struct work *w, const struct race *race)
{
	struct race_sign sign = sign_of_race(race);
	struct buffer key = { 0 };
	struct goal *found = NULL;
	int first = strcmp(sign.lines[0], sign.lines[1]) > 0;
	buffer_print(&key, "race|%s|%s|", sign.lines[first], sign.lines[!first]);
	for (size_t i = 0; i < w->goals.count && !found; i++)
		if (w->goals.at[i].kind == AIM_RACE && !strncmp(w->goals.at[i].key, (const char *)key.at, key.count) && sign_is_of(&sign, w->goals.at[i].key + key.count))
			found = &w->goals.at[i];
	buffer_release(&key);
	return found;
}

/* *kept: the log of the run is.  False: it cannot be. */
static bool note_race(struct work *w, const struct goal *made_for, const struct run_done *run, const struct race *race, bool *kept)
{
	struct goal *g = goal_of_race(w, race);
	if (!g || g == made_for || !g->finding || g->raced || g->beside || g->state >= GOAL_REACHED)
		return true;
	if (!*kept && !work_copy(run, vec_add(&w->beside))) {
		w->beside.count--;
		return false;
	}
	*kept = true;
	g->beside = (uint32_t)w->beside.count;
	return true;
}

void beside_note(struct work *w, const struct goal *made_for, const struct run_done *run)
{
	bool kept = false;
	for (size_t i = 0; i < run->result.races.all.count; i++)
		for (const struct race *race = &run->result.races.all.at[i]; race && beside_waiting(w) < BESIDE_MOST; race = race->also)
			if (!note_race(w, made_for, run, race, &kept))
				return;
}

uint32_t beside_waiting(const struct work *w)
{
	uint32_t count = 0;
	for (size_t i = 0; w->beside.count && i < w->goals.count; i++)
		count += w->goals.at[i].beside && w->goals.at[i].state < GOAL_REACHED;
	return count;
}

/* ---------------------------------------------------------------- where the two are */

struct spotted { uint64_t nth; uint8_t kind; };                 /* an access: which point of its thread; nth 0: none */
struct pair { struct spotted at[2]; };

static bool is_side(const struct trace *t, const struct race_list *l, const struct race_side *side, const struct objects *objects, const struct event *ev)
{
	struct touched ranges[2];
	char line[2][160];
	if (strcmp(trace_thread(t, ev->thread)->path, l->threads.at[side->thread].path))
		return false;
	uint32_t count = event_touches(ev, objects, ranges);
	for (uint32_t i = 0; i < count; i++)
		if (side->address - ranges[i].start < ranges[i].bytes && ranges[i].writes == side->write) {
			place_short(ev->place, line[0], sizeof line[0]);
			place_short(side->place, line[1], sizeof line[1]);
			return !strcmp(line[0], line[1]);
		}
	return false;
}

/* The first and the last time the later access comes behind the earlier one in a trace of the run, with the earlier one's last before it. */
static int find_pairs(const char *path, const struct race_list *l, const struct race *race, struct pair found[2], struct err *why)
{
	struct trace *t;
	struct merged *m = NULL;
	const struct event *ev;
	struct spotted earlier = { 0 };
	int got = trace_open(&t, path, &(struct trace_options){ 0 }, why);
	if (got < 0)
		return -1;
	struct objects *objects = objects_new(t);
	got = merged_open(&m, t, why);
	while (got >= 0 && (got = merged_next_in_place(m, &ev, why)) > 0) {
		if (is_side(t, l, &race->side[0], objects, ev)) {
			earlier = (struct spotted){ ev->points, ev->kind };
		} else if (earlier.nth && ev->points && is_side(t, l, &race->side[1], objects, ev)) {
			found[1] = (struct pair){ { earlier, { ev->points, ev->kind } } };
			if (!found[0].at[0].nth)
				found[0] = found[1];
		}
		objects_note(objects, ev);
	}
	merged_close(m);
	objects_free(objects);
	trace_close(t);
	return got < 0 ? -1 : 0;
}

/* ---------------------------------------------------------------- side by side */

static void run_to(struct schedule *out, uint32_t thread, uint64_t nth, uint64_t *done, uint8_t kind)
{
	if (nth <= done[thread])
		return;
	schedule_step_add(out, STEP_RUN, thread, nth)->kind = kind;
	done[thread] = nth;
}

/* The log, with the two threads no further than in front of their accesses, and then these.  What needs more of the earlier one's thread cannot go on, and is passed over. */
static void side_by_side(struct schedule *out, const struct schedule *log, const uint32_t thread[2], const struct pair *p)
{
	uint64_t *done = mem_take((log->threads.count + 1) * sizeof *done);
	schedule_init(out);
	for (size_t i = 1; i < log->threads.count; i++)           /* the first there is anyway: their numbers are the same */
		schedule_thread_add(out, log->threads.at[i].path, "");
	for (size_t i = 0; i < log->steps.count && done[thread[1]] + 1 < p->at[1].nth; i++) {
		const struct schedule_step *s = &log->steps.at[i];
		uint64_t most = s->thread == thread[0] ? p->at[0].nth - 1 : s->thread == thread[1] ? p->at[1].nth - 1 : UINT64_MAX;
		if (s->what == STEP_RUN)
			run_to(out, s->thread, s->nth < most ? s->nth : most, done, s->nth <= most ? s->kind : 0);
		else if (s->nth <= most)
			schedule_step_add(out, s->what, s->thread, s->nth)->answer = s->answer;
	}
	for (int k = 0; k < 2; k++)
		run_to(out, thread[k], p->at[k].nth - 1, done, 0);
	for (int k = 0; k < 2; k++)
		run_to(out, thread[k], p->at[k].nth, done, p->at[k].kind);
	mem_free(done);
}

/* ---------------------------------------------------------------- confirming */

static int try_pair(struct work *w, struct goal *g, const struct race_sign *sign, const struct schedule *log, const uint32_t thread[2], const struct pair *p, struct err *why)
{
	struct schedule script;
	struct run_done run;
	side_by_side(&script, log, thread, p);
	g->tries++;
	int got = lab_run(w->lab, &script, true, NULL, &run, why);
	schedule_release(&script);
	if (got < 0)
		return -1;
	if (!run.result.log_lost && shows_race(&sign->sign, &run))
		got = neighbours_shown(w, &run.result.log, sign, why);
	if (got == 1)
		got = shown_keep_race(w, g, sign, &run.result.log, why);
	run_done_release(&run);
	return got;
}

static struct race_sign sign_of_goal(const struct goal *g)
{
	struct race_sign s = { .sign = { shows_race, mark_race } };
	const char *first = strchr(g->key, '|') + 1, *second = strchr(first, '|') + 1;
	snprintf(s.lines[0], sizeof s.lines[0], "%.*s", (int)(second - 1 - first), first);
	snprintf(s.lines[1], sizeof s.lines[1], "%.*s", (int)strcspn(second, "|"), second);
	sign_object(&s, second + strcspn(second, "|") + 1);
	return s;
}

static int confirm(struct work *w, struct goal *g, struct err *why)
{
	const struct schedule *log = &w->beside.at[g->beside - 1];
	struct race_sign sign = sign_of_goal(g);
	struct pair found[2] = { 0 };
	struct run_done run;
	if (lab_trace(w->lab, log, &run, why) < 0)
		return -1;
	const struct race *race = race_of(&sign, &run.result.races);
	uint32_t thread[2] = { NO_PART, NO_PART };
	for (int k = 0; race && k < 2; k++)
		thread[k] = schedule_thread(log, run.result.races.threads.at[race->side[k].thread].path);
	int got = race ? find_pairs(w->lab->story, &run.result.races, race, found, why) : 0;
	run_done_release(&run);
	if (got < 0 || thread[0] == NO_PART || thread[1] == NO_PART || !found[0].at[0].nth)
		return got;
	got = try_pair(w, g, &sign, log, thread, &found[0], why);
	if (got == 0 && g->state < GOAL_REACHED && memcmp(&found[0], &found[1], sizeof found[0]))
		got = try_pair(w, g, &sign, log, thread, &found[1], why);
	return got;
}

int beside_confirm(struct work *w, struct err *why)
{
	int got = 0;
	for (size_t i = 0; i < w->goals.count && got == 0; i++) {
		struct goal *g = &w->goals.at[i];
		enum goal_state before = g->state;
		if (!g->beside || g->state >= GOAL_REACHED || (w->setup->go_on && !w->setup->go_on(w->out)))
			continue;
		got = confirm(w, g, why);
		if (g->state < GOAL_REACHED)
			g->state = before;
		else
			w->out->settled += !g->settled;
		g->settled |= g->state >= GOAL_REACHED;
		g->beside = 0;
	}
	return got;
}
