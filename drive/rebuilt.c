/* drive/rebuilt.c -- see rebuilt.h.
 *
 * A step of the old schedule is "thread T up to its event of kind K in function F, the how-many-th there"; the number of that event
 * in the new build is found by running.  A guess of all numbers is run, unchecked; in the events that came each step is looked up
 * in turn; the first that stands elsewhere than guessed is corrected, those behind it are guessed anew, and so on.  A step that is not
 * found gets its thread run alone as far as it goes: then it is found, or the thread has to wait (the order is blocked), or it ends
 * or goes elsewhere (the paths part).  Each run settles at least one more step, so there are at most two runs a step.
 * A store that reaches memory (STEP_FLUSH) is an event of no thread; the one it was made in is taken to have moved as far as the end of the
 * stretch it lies in. */
#include "drive/rebuilt.h"

#include <inttypes.h>
#include <string.h>

#include "drive/steer_inside.h"
#include "trace/reader.h"

#define EVENTS_MOST (4u << 20)
#define RUNS_MOST   2000u

struct search {
	const struct steer_options *o;
	const struct schedule *old;
	struct rebuilt *out;
	VEC(uint64_t) nth;              /* per step: settled, or guessed */
	size_t settled;                 /* steps */
};

/* ---------------------------------------------------------------- running */

/* The first `count` steps with the numbers known or guessed; the last of them alone until it cannot, if `far`. */
static void make_script(const struct search *s, struct schedule *script, size_t count, bool far)
{
	uint64_t *done = mem_take((s->old->threads.count + 1) * sizeof *done);
	schedule_init(script);
	for (size_t i = 1; i < s->old->threads.count; i++)
		schedule_thread_add(script, s->old->threads.at[i].path, "");
	for (size_t i = 0; i < count; i++) {
		const struct schedule_step *from = &s->old->steps.at[i];
		uint64_t nth = far && i + 1 == count ? SCHEDULE_NTH_MAX : s->nth.at[i];
		if (from->what != STEP_FLUSH && nth <= done[from->thread])
			continue;
		schedule_step_add(script, from->what, from->thread, nth)->answer = from->answer;
		if (from->what == STEP_RUN)
			done[from->thread] = nth;
	}
	mem_free(done);
}

static int run(struct search *s, size_t count, bool far, struct err *why)
{
	struct schedule script;
	struct steer_options o = *s->o;
	make_script(s, &script, count, far);
	o.schedule = &script;
	o.unchecked = true;
	o.events = EVENTS_MOST;
	steer_result_release(&s->out->last);
	s->out->runs++;
	int result = steer_run(&o, &s->out->last, why);
	schedule_release(&script);
	return result;
}

/* ---------------------------------------------------------------- looking up */

static bool is_step(const struct schedule *old, const struct schedule_step *step, const struct steer_result *r,
	const struct steer_event *e, const char *function, uint32_t here)
{
	return e->kind == step->kind && here == step->here && strcmp(function, step->place.function) == 0 &&
		strcmp(r->threads.at[e->strand].path, old->threads.at[step->thread].path) == 0;
}

/* The number, in its thread, of the event a step means; 0: it did not come in this run. */
static uint64_t find_step(const struct search *s, size_t step)
{
	const struct steer_result *r = &s->out->last;
	struct functions f = { 0 };
	uint64_t found = 0, *done = mem_take((r->threads.count + 1) * sizeof *done);
	for (size_t i = 0; !found && i < r->events.count; i++) {
		const struct steer_event *e = &r->events.at[i];
		const char *function;
		if (e->kind == EV_FLUSH)
			continue;
		uint32_t here = functions_count(&f, r->places, e, &function);
		done[e->strand]++;
		if (is_step(s->old, &s->old->steps.at[step], r, e, function, here))
			found = done[e->strand];
	}
	mem_free(done);
	functions_release(&f);
	return found;
}

/* The same for all steps from `from` on, in one pass over the events; 0 where there is none. */
static void find_steps(const struct search *s, size_t from, uint64_t *into)
{
	const struct steer_result *r = &s->out->last;
	struct functions f = { 0 };
	uint64_t *done = mem_take((r->threads.count + 1) * sizeof *done);
	size_t *next = mem_take((s->old->threads.count + 1) * sizeof *next);    /* per old thread: its next step to be found */
	for (size_t t = 0; t < s->old->threads.count; t++)
		next[t] = from;
	for (size_t i = 0; i < r->events.count; i++) {
		const struct steer_event *e = &r->events.at[i];
		const char *function;
		if (e->kind == EV_FLUSH)
			continue;
		uint32_t here = functions_count(&f, r->places, e, &function), t = schedule_thread(s->old, r->threads.at[e->strand].path);
		done[e->strand]++;
		if (t == NO_PART)
			continue;
		while (next[t] < s->old->steps.count && (s->old->steps.at[next[t]].thread != t || s->old->steps.at[next[t]].what != STEP_RUN))
			next[t]++;
		if (next[t] < s->old->steps.count && is_step(s->old, &s->old->steps.at[next[t]], r, e, function, here))
			into[next[t]++] = done[e->strand];
	}
	mem_free(done);
	mem_free(next);
	functions_release(&f);
}

/* The event the thread's stretch before this step ended with, in the old build; 0: it is the first one. */
static uint64_t stretch_begins(const struct search *s, size_t step)
{
	const struct schedule_step *x = &s->old->steps.at[step];
	for (size_t i = step; i-- > 0;)
		if (s->old->steps.at[i].thread == x->thread && s->old->steps.at[i].what == STEP_RUN)
			return s->old->steps.at[i].nth;
	return 0;
}

/* What comes behind a step that moved is expected to have moved as far; not stores made before its stretch. */
static void settle(struct search *s, size_t step, uint64_t nth)
{
	const struct schedule_step *x = &s->old->steps.at[step];
	int64_t moved = (int64_t)nth - (int64_t)x->nth;
	s->nth.at[step] = nth;
	s->settled = step + 1;
	uint64_t begins = stretch_begins(s, step);
	for (size_t i = step + 1; i < s->nth.count; i++)
		if (s->old->steps.at[i].thread == x->thread && s->old->steps.at[i].nth > begins) {
			int64_t guess = (int64_t)s->old->steps.at[i].nth + moved;
			s->nth.at[i] = guess > 0 ? (uint64_t)guess : 1;
		}
}

/* ---------------------------------------------------------------- verdicts */

static void say_step(const struct schedule *old, size_t step, char *into, size_t room)
{
	const struct schedule_step *x = &old->steps.at[step];
	snprintf(into, room, "%s %s%s%s", old->threads.at[x->thread].path, event_word(x->kind) ? event_word(x->kind) : "its event",
		*x->place.function ? " in " : "", x->place.function);
}

static int unknown(struct search *s, size_t step, const char *what)
{
	char text[200];
	say_step(s->old, step, text, sizeof text);
	s->out->verdict = REBUILT_UNKNOWN;
	s->out->step = step + 1;
	snprintf(s->out->why, sizeof s->out->why, "the paths part at step %zu (%s): %s", step + 1, text, what);
	return 0;
}

/* The thread of a step had to wait before it came to its event.  Does it come there when the others are let go? */
static int blocked(struct search *s, size_t step, struct err *why)
{
	char text[200], object[128], holder[PATH_BYTES + 16] = "";
	struct steer_result *r = &s->out->last;
	uint32_t thread = schedule_thread(&r->log, s->old->threads.at[s->old->steps.at[step].thread].path);
	const struct steer_thread t = r->threads.at[thread];
	say_step(s->old, step, text, sizeof text);
	places_object(r->places, t.object, object, sizeof object);
	if (t.waits_for != NO_PART)
		snprintf(holder, sizeof holder, " held by %s", r->threads.at[t.waits_for].path);
	const char *kind = event_word(t.kind);
	if (run(s, step, false, why) < 0)
		return -1;
	if (!find_step(s, step))
		return unknown(s, step, "it has to wait, and does not come there later either");
	s->out->verdict = REBUILT_GONE;
	s->out->step = step + 1;
	snprintf(s->out->why, sizeof s->out->why, "the bad order is blocked at step %zu (%s): before it %s waits for %s%s%s%s%s", step + 1, text,
		s->old->threads.at[s->old->steps.at[step].thread].path, kind ? kind : "something", t.kind == EV_JOIN ? "" : " '",
		t.kind == EV_JOIN ? "" : object, t.kind == EV_JOIN ? "" : "'", holder);
	return 0;
}

/* A step that did not come: its thread is run as far as it goes.  1: it is found now; 0: there is a verdict. */
static int search_on(struct search *s, size_t step, struct err *why)
{
	if (run(s, step + 1, true, why) < 0)
		return -1;
	struct steer_result *r = &s->out->last;
	uint64_t nth = find_step(s, step);
	if (nth) {
		settle(s, step, nth);
		return 1;
	}
	uint32_t thread = schedule_thread(&r->log, s->old->threads.at[s->old->steps.at[step].thread].path);
	if (thread == NO_PART || r->threads.at[thread].state == STRAND_NONE)
		return unknown(s, step, "the thread does not exist");
	if (r->threads.at[thread].waits)
		return blocked(s, step, why);
	return unknown(s, step, r->threads.at[thread].state == STRAND_ENDED ? "the thread ends without it" : "the thread goes another way");
}

static bool same_end(const struct schedule *old, const struct steer_result *r)
{
	if (old->outcome != r->outcome)
		return false;
	return (old->outcome != OUTCOME_EXIT && old->outcome != OUTCOME_SIGNAL) || old->value == r->value;
}

/* ---------------------------------------------------------------- a race: the run ends well, the order is what is wrong */

/* Where the second access of the race is in this build: as far as its thread's step around it has moved. */
static uint64_t stop_moved(const struct search *s)
{
	const struct schedule *old = s->old;
	int64_t moved = 0;
	for (size_t i = 0; i < old->steps.count; i++) {
		const struct schedule_step *x = &old->steps.at[i];
		if (x->what != STEP_RUN || x->thread != old->stop_thread)
			continue;
		moved = (int64_t)s->nth.at[i] - (int64_t)x->nth;
		if (x->nth >= old->stop_nth)
			break;
	}
	return (uint64_t)((int64_t)old->stop_nth + moved);
}

static int judge_race(struct search *s, struct err *why)
{
	char line[400];
	const char *path = s->old->threads.at[s->old->stop_thread].path;
	struct steer_options with = *s->o;
	struct search again = *s;
	const struct race *same = NULL;
	with.races = race_watch_new(NULL);
	again.o = &with;
	int got = run(&again, s->old->steps.count, false, why);
	const struct race_list *l = &s->out->last.races;
	for (size_t i = 0; got == 0 && i < l->all.count; i++)
		for (int k = 0; k < 2; k++)
			if (!strcmp(l->threads.at[l->all.at[i].side[k].thread].path, path) && l->all.at[i].side[k].nth == stop_moved(s))
				same = &l->all.at[i];
	s->out->verdict = same ? REBUILT_FAILS : l->all.count || l->stopped ? REBUILT_UNKNOWN : REBUILT_GONE;
	if (same)
		snprintf(s->out->why, sizeof s->out->why, "the same order shows the race: %s", race_line(l, same, line, sizeof line));
	else
		snprintf(s->out->why, sizeof s->out->why, l->all.count ? "the same order shows other races; 'raddle predict --fixed=<schedule>' looks for this one" :
			l->stopped ? "races were not looked for to the end" : "the same order shows no race");
	race_watch_free(with.races);
	return got;
}

static int judge(struct search *s, struct err *why)
{
	char said[STEER_SAY];
	const struct steer_result *r = &s->out->last;
	bool fails = s->old->outcome != OUTCOME_EXIT || s->old->value;
	if (r->outcome != OUTCOME_LEFT && !fails && same_end(s->old, r) && s->old->stop_nth && !s->old->stop_output)
		return judge_race(s, why);
	if (r->outcome != OUTCOME_LEFT && !fails && same_end(s->old, r)) {
		snprintf(s->out->why, sizeof s->out->why, "the run of the schedule did not fail, and the same order ends with %.300s again", steer_say(r, said));
		s->out->verdict = REBUILT_UNKNOWN;
		return 0;
	}
	if (r->outcome == OUTCOME_LEFT) {
		snprintf(s->out->why, sizeof s->out->why, "the paths part: %s", r->text);
		s->out->verdict = REBUILT_UNKNOWN;
		return 0;
	}
	s->out->verdict = same_end(s->old, r) ? REBUILT_FAILS : REBUILT_GONE;
	snprintf(s->out->why, sizeof s->out->why, "the same order ends with %.400s", steer_say(r, said));
	return 0;
}

int rebuilt_try(const struct steer_options *o, struct rebuilt *out, struct err *why)
{
	struct search s = { .o = o, .old = o->schedule, .out = out };
	uint64_t *came = mem_take((o->schedule->steps.count + 1) * sizeof *came);
	int result = 0;
	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < s.old->steps.count; i++)
		vec_push(&s.nth, s.old->steps.at[i].nth);
	while (result == 0) {
		if (out->runs >= RUNS_MOST) {
			unknown(&s, s.settled, "too much has changed");
			break;
		}
		if ((result = run(&s, s.old->steps.count, false, why)) < 0)
			break;
		memset(came, 0, s.old->steps.count * sizeof *came);
		find_steps(&s, s.settled, came);
		size_t i = s.settled;
		while (i < s.old->steps.count && (s.old->steps.at[i].what != STEP_RUN || !s.old->steps.at[i].here || came[i] == s.nth.at[i]))
			i++;
		if (i == s.old->steps.count) {
			result = judge(&s, why);
			break;
		}
		if (came[i]) {
			settle(&s, i, came[i]);
			continue;
		}
		s.settled = i;
		result = search_on(&s, i, why);
		if (result <= 0)
			break;
		result = 0;
	}
	vec_release(&s.nth);
	mem_free(came);
	return result;
}
