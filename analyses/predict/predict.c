/* analyses/predict/predict.c -- see predict.h.  What is kept from one recording to the next are *goals*: groups of aims by what they
 * are about, whether they were reached, and the finding each has become. */
#include "analyses/predict/predict.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/predict/beside.h"
#include "analyses/predict/claim.h"
#include "analyses/predict/closed.h"
#include "analyses/predict/dams.h"
#include "analyses/predict/fixed.h"
#include "analyses/predict/novel.h"
#include "analyses/predict/rank.h"
#include "analyses/predict/script.h"
#include "analyses/predict/shown.h"
#include "analyses/predict/tell.h"
#include "analyses/predict/work.h"

#define EARLY_TOLD 4u
#define ENDLESS_LOOK    50000u          /* events of a run that does not end */

const char *const work_not_all = "not every pair of events at these places could be decided: the others are taken to be like those that were";

static const char *const kept_outside = "nothing within the program orders the two: what one thread sent outside behind its access, and the other got from there before its own, may";

bool work_may_run(struct work *w)
{
	w->out->runs = w->sc.made + w->weak.made;
	uint64_t held_back = w->setup->most_runs ? BESIDE_RUNS * beside_waiting(w) : 0;
	return (!w->setup->most_runs || w->out->runs + held_back < w->setup->most_runs) && (!w->setup->go_on || w->setup->go_on(w->out));
}

/* ---------------------------------------------------------------- goals */

/* Did the detector see it, and may it have been kept in order by somebody it knows nothing of? */
static void goal_raced(struct work *w, const struct recording *r, struct goal *goal, const struct aims_group *g)
{
	const struct moment *at = g->aims.at[0].at;
	if (g->kind != AIM_RACE || !race_was_seen(w, g))
		return;
	goal->raced = true;
	goal->outside |= screen_outside(&r->screen, at[0].spot.thread, at[0].index, at[1].spot.thread, at[1].index);
}

/* Is it the finding it would be?  A circle in which somebody waits up to a time opens by itself: runs for it may fail, and are told as what they show, but it is no deadlock.  Where
 * nothing is run it is told all the same: what the program does when the time is up nobody will see. */
static bool is_finding(const struct work *w, const struct aims_group *g)
{
	bool lasts = g->kind == AIM_WAITS && !w->sc.runs;
	for (size_t i = 0; g->kind == AIM_WAITS && i < g->aims.count && !lasts; i++) {
		lasts = true;
		for (uint32_t k = 0; k < g->aims.at[i].count; k++)
			lasts &= !g->aims.at[i].at[k].timed;
	}
	return g->kind == AIM_RACE || lasts;
}

struct goal *goal_of(struct work *w, const struct recording *r, const struct aims_group *g)
{
	uint32_t number = names_put(&w->keys, g->key, strlen(g->key));
	if (number < w->goals.count) {
		goal_raced(w, r, &w->goals.at[number], g);
		return &w->goals.at[number];
	}
	struct goal *goal = vec_add(&w->goals);
	*goal = (struct goal){ .kind = g->kind, .key = names_text(&w->keys, number) };
	if (is_finding(w, g)) {
		goal->finding = findings_add(&w->out->found, g->kind == AIM_RACE ? FINDING_RACE : FINDING_DEADLOCK, FINDING_PREDICTED);
		goal->finding->times = g->times;
		tell_aim(&w->out->found, goal->finding, r, &g->aims.at[0], g->object);
		goal_raced(w, r, goal, g);
		w->out->candidates++;
	}
	return goal;
}

/* The rule that closed it, of the lines order/ prints: the first, without what stands around it. */
const char *work_rule(struct work *w, char *lines)
{
	if (!lines)
		return "";
	lines += strspn(lines, " \n");
	lines[strcspn(lines, "\n")] = 0;
	return findings_text(&w->out->found, lines);
}

bool work_copy(const struct run_done *run, struct schedule *copy)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = run->result.log_lost ? NULL : open_memstream(&text, &bytes);
	if (!to)
		return false;
	schedule_print(&run->result.log, to);
	fclose(to);
	struct err ignored;
	bool kept = schedule_parse(copy, "log", text, bytes, &ignored) == 0;
	if (!kept)
		schedule_release(copy);
	free(text);
	return kept;
}

bool work_keep(struct work *w, const struct run_done *run)
{
	struct schedule copy;
	if (!work_copy(run, &copy))
		return false;
	vec_push(&w->waiting, copy);
	return true;
}

/* ---------------------------------------------------------------- one recording */

static bool still_wanted(void *with, uint64_t read, uint64_t whole)
{
	struct work *w = with;
	w->out->read = read;
	w->out->whole = whole;
	bool wanted = !w->setup->go_on || w->setup->go_on(w->out);
	w->out->read = 0;
	return wanted;
}

/* Asked in the middle of a question. */
static bool is_worth_thinking(void *with)
{
	const struct work *w = with;
	return !w->setup->go_on || w->setup->go_on(w->out);
}

/* Is it possible, as far as is known?  Then the finding tells of it. */
static bool may_be(struct work *w, const struct recording *r, struct goal *g, const struct aims_group *group, const struct aim *aim, FILE *explain)
{
	const struct place *at;
	enum order_answer answer = script_ask(r->order, aim, NULL, 0, NULL, explain);
	if (answer == ORDER_YES)
		tell_aim(&w->out->found, g->finding, r, aim, group->object);
	if (answer == ORDER_UNKNOWN)
		g->finding->assumed = order_broken(r->order, &at) ? "the recorded order breaks the rules, so nothing follows from it: a guess"
			: "the question was too hard to be decided: it may be infeasible";
	return answer != ORDER_NO;
}

/* Nothing can be run: is one of them possible? */
static int ask_only(struct work *w, const struct recording *r, struct goal *g, const struct aims_group *group, struct err *why)
{
	char *rule = NULL;
	size_t bytes = 0;
	bool possible = false;
	if (!g->finding || (g->settled && g->state == GOAL_OPEN))
		return 0;                               /* possible in another window */
	for (size_t i = 0; i < group->aims.count && !possible; i++) {
		FILE *explain = i ? NULL : open_memstream(&rule, &bytes);
		possible = may_be(w, r, g, group, &group->aims.at[i], explain);
		if (explain)
			fclose(explain);
	}
	for (size_t i = 0; i < group->further.count && !possible; i++) {
		struct aim aim = further_aim(group, i);
		possible = may_be(w, r, g, group, &aim, NULL);
	}
	int all = possible ? 0 : closed_by_rules(w, r, &group->aims.at[0], why);
	g->state = possible ? GOAL_OPEN : all ? GOAL_INFEASIBLE : GOAL_SPECULATIVE;
	g->settled = true;
	if (!possible)
		g->finding->rule = work_rule(w, rule);
	if (!possible && group->unasked)
		g->finding->assumed = work_not_all;
	if (possible && w->assumed)
		g->finding->assumed = w->assumed;
	free(rule);
	return all < 0 ? -1 : 0;
}

static int look_at_group(struct work *w, struct recording *r, struct aims_group *group, struct err *why)
{
	struct goal *g = goal_of(w, r, group);
	size_t number = (size_t)(g - w->goals.at);
	if (!w->sc.runs && still_wanted(w, 0, 0) && ask_only(w, r, g, group, why) < 0)
		return -1;
	if (g->state >= GOAL_REACHED || !w->sc.runs || !work_may_run(w))
		return 0;
	int got = r->weak ? goal_try_late(w, r, g, group, why) : goal_try(w, r, g, group, why);
	g = &w->goals.at[number];
	w->out->settled += g->finding && !g->settled;
	g->settled = true;
	return got;
}

/* Whose events are in it, for who asks whether something is gone: what did not run is not. */
static int note_functions(struct work *w, struct recording *r, struct err *why)
{
	struct merged *events;
	const struct event *ev;
	const struct place *last = NULL;
	int got = merged_open(&events, r->trace, why) < 0 ? -1 : 1;
	while (got > 0 && (got = merged_next_in_place(events, &ev, why)) > 0)
		for (const struct place *at = ev->place == last ? NULL : (last = ev->place); at; at = at->inlined_at)
			if (*at->function)
				names_put(&w->out->functions, at->function, strlen(at->function));
	merged_close(events);
	return got;
}

/* A recording nothing can be derived from is said to be one. */
static void note_broken(struct work *w, const struct recording *r)
{
	char text[700], where[300];
	const struct place *at;
	const char *what = order_broken(r->order, &at);
	if (!what || w->out->broken)
		return;
	if (at && *at->file)
		snprintf(text, sizeof text, "the recorded order breaks the rules of locks and semaphores at %s (%s), so nothing follows from it",
			place_short(at, where, sizeof where), what);
	else
		snprintf(text, sizeof text, "the recorded order breaks the rules of locks and semaphores (%s), so nothing follows from it", what);
	w->out->broken = findings_text(&w->out->found, text);
}

static int look_at_recording(struct work *w, struct recording *r, struct err *why)
{
	struct aims aims = { 0 };
	w->at_hand = r;
	note_broken(w, r);
	if (w->setup->settle && note_functions(w, r, why) < 0)
		return -1;
	struct aims_group *group;
	order_watch(r->order, is_worth_thinking, w);
	w->values.goes_on = is_worth_thinking;
	w->values.with = w;
	int got = aims_collect(&aims, r, why);
	if (got == 0 && !r->weak)
		got = aims_waits(&aims, r, why);
	if (got == 0)
		got = aims_handled(&aims, r, why);
	novel_candidates(w, &aims);
	struct ranking ranking;
	rank_begin(&ranking, w, r, &aims);
	while (got == 0 && (got = rank_next(&ranking, &group, why)) == 0 && group)
		got = look_at_group(w, r, group, why);
	rank_end(&ranking);
	if (got == 0 && w->sc.runs && !w->claim_asked && still_wanted(w, 0, 0))
		got = claim_ask(w, r, why);
	w->out->events = w->out->events ? w->out->events : r->events;
	w->out->unlooked = aims.unlooked ? aims.unlooked : w->out->unlooked;
	w->out->accesses = w->out->accesses ? w->out->accesses : r->screen.accesses;
	aims_release(&aims);
	values_release(&w->values);
	w->at_hand = NULL;
	return got;
}

/* What all runs are held against. */
static void note_first(struct work *w, const struct run_done *run)
{
	w->sc.output = lab_output(run);
	w->sc.outcome = run->result.outcome;
	if (!w->setup->fails && run->result.outcome == OUTCOME_EXIT && run->result.value)
		w->sc.rule.by = FAIL_NEVER;      /* a status is how it tells something; what is not known */
	if (run->result.outcome != OUTCOME_EXIT || failure_is(&w->sc.rule, run))
		steer_say(&run->result, w->out->failed);
}

/* The first run did not end.  Its beginning is recorded once more and thought about; runs are no longer than that. */
static int record_beginning(struct work *w, struct run_done *run, struct err *why)
{
	bool over = run->result.steps > ENDLESS_LOOK;
	w->out->endless = true;
	if (lab_bound_at(&w->sc, over ? ENDLESS_LOOK : 2 * ENDLESS_LOOK, why) < 0)
		return -1;
	if (!over)
		return 0;
	run_done_release(run);
	return lab_record(&w->sc, NULL, false, run, why);
}

/* The exit of one thread cut others off.  The run is recorded once more with an exit that waits for what they can still do: that is the one to think about, and no
 * other order of events than before as far as that went.  One that ends otherwise is not: time may have gone by that another thread watches over. */
static int record_lingering(struct work *w, struct run_done *run, struct err *why)
{
	struct run_done longer;
	if (run->result.outcome != OUTCOME_EXIT || !recording_cuts_off(&run->result) || !work_may_run(w))
		return 0;
	if (lab_linger(&w->sc, &longer, why) < 0)
		return -1;
	if (longer.result.outcome == OUTCOME_EXIT && longer.result.value == run->result.value) {
		run_done_release(run);
		*run = longer;
		w->sc.lingers = LINGERS;
		return 0;
	}
	int got = tell_lingering_failure(w, &longer, why);
	run_done_release(&longer);
	run_done_release(run);
	*run = (struct run_done){ 0 };
	return got < 0 ? -1 : lab_record(&w->sc, NULL, false, run, why);         /* its trace was written over */
}

/* Records a run, which is one under SC, and thinks about it. */
static int record(struct work *w, const struct schedule *script, bool first, struct err *why)
{
	struct run_done run;
	struct recording r = { .go_on = still_wanted, .with = w, .weak = w->lab == &w->weak };
	if (lab_record(&w->sc, script, script != NULL, &run, why) < 0)
		return -1;
	if (first)
		note_first(w, &run);
	if (first && run.result.outcome == OUTCOME_LIVELOCK && record_beginning(w, &run, why) < 0)
		return -1;
	if (first && record_lingering(w, &run, why) < 0)
		return -1;
	if (first)
		lab_waits(&w->sc, &run.result);
	novel_known(w, &run);
	races_seen(w, &run.result.races);
	w->out->recordings += !r.weak;
	int got = recording_open(&r, w->sc.trace, &run.result, why);
	if (got == 0 && r.full)
		w->out->looked = r.events;
	if (got == 0 && first)
		got = lab_bound(&w->sc, run.result.steps, why);
	if (got == 0 && first)
		got = tell_recorded_failure(w, &run, why);
	run_done_release(&run);
	if (got == 0)
		got = look_at_recording(w, &r, why);
	recording_close(&r);
	return got;
}

/* ---------------------------------------------------------------- all of it */

/* The last part of "kind|line|line|object". */
static const char *object_of(const char *key)
{
	const char *last = strrchr(key, '|');
	return last ? last + 1 : "";
}

/* Why a store may not have been late in any run, or NULL. */
static const char *early_said(struct work *w)
{
	struct buffer b = { 0 };
	size_t count = w->early.places.count;
	if (!count)
		return NULL;
	buffer_print(&b, EARLY_SAID);
	for (uint32_t i = 0; i < count && i < EARLY_TOLD; i++)
		buffer_print(&b, "%s%s", i ? ", " : ": ", names_text(&w->early.places, i));
	if (count > EARLY_TOLD)
		buffer_print(&b, ", and %zu more", count - EARLY_TOLD);
	const char *said = findings_text(&w->out->found, (const char *)b.at);
	buffer_release(&b);
	return said;
}

static void conclude(struct work *w)
{
	static const enum finding_status status[] = { FINDING_PREDICTED, FINDING_INFEASIBLE, FINDING_SPECULATIVE, FINDING_NOT_REPRODUCED, FINDING_CONFIRMED };
	struct predict *p = w->out;
	const char *early = early_said(w);
	for (size_t i = 0; i < w->goals.count; i++) {
		struct goal *g = &w->goals.at[i];
		if (!g->finding && (g->state == GOAL_LEFT || g->state == GOAL_SPECULATIVE) && (g->kind == AIM_BETWEEN || g->kind == AIM_TURN || g->kind == AIM_HANDLED))
			vec_push(&p->left, ((struct predict_left){ g->kind != AIM_TURN, findings_text(&p->found, object_of(g->key)) }));
		if (!g->finding)
			continue;
		g->finding->tries = g->tries;
		g->finding->unrun = g->state == GOAL_SPECULATIVE && !g->tries;
		if (g->state != GOAL_OTHERWISE)
			g->finding->status = status[g->state];
		if (g->raced && g->state >= GOAL_INFEASIBLE && g->state <= GOAL_LEFT) {
			g->finding->kind = g->outside ? g->finding->kind : FINDING_WEAK_MEMORY;
			g->finding->assumed = g->outside ? kept_outside : early ? early : g->finding->assumed;
		}
	}
	size_t kept = 0;
	for (size_t i = 0; i < p->found.all.count; i++) {
		bool told = false;
		for (size_t k = 0; k < w->goals.count; k++)
			told |= w->goals.at[k].finding == p->found.all.at[i] && w->goals.at[k].state == GOAL_OTHERWISE;
		if (!told)
			p->found.all.at[kept++] = p->found.all.at[i];
	}
	p->found.all.count = kept;
	findings_finish(&p->found);
	for (size_t i = 0; i < kept; i++) {
		char path[4096 + 64];
		const struct finding *f = p->found.all.at[i];
		snprintf(path, sizeof path, "%s%s", w->setup->folder, f->schedule);
		if (*f->schedule)
			fixed_mark(path, f);
	}
}

/* What a recording that is not ours says: aims are asked and not tried.  *next: where the next window of the trace begins, 0: this was the last. */
static int look_at_window(struct work *w, const char *path, uint64_t *next, struct err *why)
{
	struct recording r = { .go_on = still_wanted, .with = w, .most = w->setup->window, .first = *next };
	int got = recording_open(&r, path, NULL, why);
	if (got == 0 && trace_order(r.trace) != ORDER_TOTAL)
		w->assumed = "of a native recording the order of plain accesses is not known: theirs is taken from time hints";
	if (got == 0 && r.full)
		w->out->window = w->out->window && w->out->window < r.events ? w->out->window : r.events;
	if (got == 0)
		got = look_at_recording(w, &r, why);
	if (got == 0)
		w->out->events = r.first + r.events;
	*next = r.full ? r.first + r.events / 2 : 0;
	recording_close(&r);
	w->assumed = NULL;
	return got;
}

static int look_at_trace(struct work *w, const char *path, struct err *why)
{
	uint64_t next = 0;
	int got;
	w->out->recordings++;
	do
		got = look_at_window(w, path, &next, why);
	while (got == 0 && next && still_wanted(w, 0, 0));
	return got;
}

/* All recordings once more, for what takes a weaker memory. */
static int try_weak(struct work *w, struct err *why)
{
	struct steer_options like = w->sc.like;
	like.model = w->setup->memory;
	w->lab = &w->weak;
	if (lab_open(&w->weak, &like, why) < 0)
		return -1;
	w->weak.rule = w->sc.rule;
	w->weak.output = w->sc.output;
	w->weak.outcome = w->sc.outcome;
	int got = record(w, NULL, false, why);
	for (uint32_t i = 0; got == 0 && i < w->taken && work_may_run(w); i++)
		got = record(w, &w->waiting.at[i], false, why);
	return got;
}

static int record_waiting(struct work *w, struct err *why)
{
	int got = 0;
	while (got == 0 && w->taken < w->waiting.count && work_may_run(w)) {
		struct schedule script = w->waiting.at[w->taken];       /* more may be added meanwhile */
		got = record(w, &script, false, why);
		w->taken++;
	}
	return got;
}

/* A run that was cut off is no error: what is known so far is told. */
static int still_failed(struct work *w, int got)
{
	if (got == 0 || !w->setup->go_on || w->setup->go_on(w->out))
		return got;
	w->out->stopped = true;
	return 0;
}

static int try_all(struct work *w, struct err *why)
{
	int got = lab_open(&w->sc, &w->setup->like, why);
	w->sc.first_steps = w->setup->first_steps;
	w->sc.rule = w->setup->fails ? *w->setup->fails : (struct failure_rule){ 0 };
	if (got == 0)
		got = record(w, NULL, true, why);
	got = got == 0 ? record_waiting(w, why) : got;
	if (got == 0 && work_may_run(w))
		got = draw_runs(w, why);
	got = got == 0 ? record_waiting(w, why) : got;
	w->out->stopped = w->sc.runs && !work_may_run(w);
	got = got == 0 ? beside_confirm(w, why) : got;
	if (got == 0 && w->setup->memory != MODEL_SC && work_may_run(w))
		got = try_weak(w, why);
	w->out->stopped |= w->sc.runs && !work_may_run(w);
	got = still_failed(w, got);
	lab_close(&w->weak);
	lab_close(&w->sc);
	return got;
}

int predict_run(struct predict *p, const struct predict_setup *setup, struct err *why)
{
	struct work w = { .out = p, .setup = setup };
	w.lab = &w.sc;
	*p = (struct predict){ 0 };
	int got = setup->trace ? look_at_trace(&w, setup->trace, why) : 0;
	if (got == 0 && setup->like.argv)
		got = try_all(&w, why);
	got = still_failed(&w, got);
	conclude(&w);
	for (size_t i = 0; i < w.waiting.count; i++)
		schedule_release(&w.waiting.at[i]);
	vec_release(&w.waiting);
	for (size_t i = 0; i < w.beside.count; i++)
		schedule_release(&w.beside.at[i]);
	vec_release(&w.beside);
	vec_release(&w.goals);
	names_release(&w.keys);
	names_release(&w.failures);
	names_release(&w.raced);
	map_release(&w.tried);
	map_release(&w.begun);
	vec_release(&w.left);
	dams_release(&w);
	map_release(&w.seen);
	map_release(&w.places);
	names_release(&w.pairs);
	early_release(&w.early);
	return got;
}

void predict_release(struct predict *p)
{
	vec_release(&p->left);
	names_release(&p->functions);
	findings_release(&p->found);
	*p = (struct predict){ 0 };
}
