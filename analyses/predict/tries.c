/* analyses/predict/tries.c -- runs for one goal, what shows in them, and what is kept of those that show something. */
#include <stdlib.h>
#include <string.h>

#include "analyses/predict/between.h"
#include "analyses/predict/script.h"
#include "analyses/predict/tell.h"
#include "analyses/predict/work.h"
#include "drive/saved.h"
#include "trace/objects.h"

#define TRIES_A_GOAL    8u              /* runs for one goal in one recording */
#define TRIES_UNASKED   4u              /* of them before it is asked whether values forbid it */
#define DOUBTS_MOST     2u              /* questions of a group too hard to be decided, until no more are asked */

/* ---------------------------------------------------------------- signs */

struct race_sign { struct lab_sign sign; char lines[2][160]; };

static const struct race *race_of(const struct race_sign *s, const struct race_list *l)
{
	char line[2][160];
	for (size_t i = 0; i < l->all.count; i++) {
		for (int k = 0; k < 2; k++)
			place_short(l->all.at[i].side[k].place, line[k], sizeof line[k]);
		for (int k = 0; k < 2; k++)
			if (!strcmp(line[k], s->lines[0]) && !strcmp(line[!k], s->lines[1]))
				return &l->all.at[i];
	}
	return NULL;
}

static bool shows_race(const struct lab_sign *sign, struct run_done *run)
{
	return race_of((const struct race_sign *)sign, &run->result.races) != NULL;
}

static struct race_sign sign_of(const struct aim *aim)
{
	struct race_sign s = { .sign = { shows_race } };
	for (int i = 0; i < 2; i++)
		place_short(aim->at[i].place, s.lines[i], sizeof s.lines[i]);
	return s;
}

struct failure_sign { struct lab_sign sign; const struct failure_rule *rule; const char *key; };

static bool shows_failure(const struct lab_sign *sign, struct run_done *run)
{
	const struct failure_sign *s = (const struct failure_sign *)sign;
	struct buffer key = { 0 };
	bool same = false;
	if (failure_is(s->rule, run)) {
		failure_key(s->rule, run, &key);
		same = !strcmp((const char *)key.at, s->key);
	}
	buffer_release(&key);
	return same;
}

struct output_sign { struct lab_sign sign; uint64_t output; };

static bool shows_output(const struct lab_sign *sign, struct run_done *run)
{
	return run->result.outcome == OUTCOME_EXIT && lab_output(run) == ((const struct output_sign *)sign)->output;
}

/* ---------------------------------------------------------------- races of recorded runs */

static uint32_t lines_of(char lines[2][160], char *into, size_t room)
{
	int first = strcmp(lines[0], lines[1]) > 0;
	int length = snprintf(into, room, "%s %s", lines[first], lines[!first]);
	return length > 0 ? (uint32_t)length : 0;
}

void races_seen(struct work *w, const struct race_list *l)
{
	char lines[2][160], both[330];
	for (size_t i = 0; i < l->all.count; i++) {
		for (int k = 0; k < 2; k++)
			place_short(l->all.at[i].side[k].place, lines[k], sizeof lines[k]);
		names_put(&w->raced, both, lines_of(lines, both, sizeof both));
	}
}

/* Nothing orders the two, but no order was found that brings them together: that takes a weaker memory. */
bool race_was_seen(const struct work *w, const struct aim *aim)
{
	char both[330];
	struct race_sign s = sign_of(aim);
	return names_get(&w->raced, both, lines_of(s.lines, both, sizeof both)) != NO_NAME;
}

/* ---------------------------------------------------------------- what is kept */

static int keep(struct work *w, struct finding *f, const struct schedule *log, const struct lab_sign *sign, struct lab_kept *kept, struct err *why)
{
	char path[4096 + 64];
	saved_next_name(w->setup->folder, finding_kind_word(f->kind), path, sizeof path);
	if (lab_keep(&w->lab, log, path, w->setup->replays, sign, kept, why) < 0)
		return -1;
	if (kept->written) {
		f->status = FINDING_CONFIRMED;
		f->assumed = "";
		f->schedule = findings_text(&w->out->found, path + strlen(w->setup->folder));
		f->replays = kept->replays;
		f->shown = kept->shown;
	} else
		f->status = FINDING_NOT_REPRODUCED;     /* it was seen once, and not again */
	return 0;
}

static int keep_race(struct work *w, struct goal *g, const struct race_sign *sign, const struct schedule *log, struct err *why)
{
	struct lab_kept kept;
	struct findings *l = &w->out->found;
	if (keep(w, g->finding, log, &sign->sign, &kept, why) < 0)
		return -1;
	const struct race *race = race_of(sign, &kept.run.result.races);
	if (kept.written && race) {
		bool failed = lab_failed(&w->lab, &kept.run);
		tell_race(l, g->finding, &kept.run.result.races, race);
		tell_effect(l, g->finding, &kept.run.result, failed, lab_output(&kept.run) != w->lab.output);
		tell_order(l, g->finding, &kept.run.result.log, w->lab.story);
		g->state = GOAL_REACHED;
	} else if (g->state != GOAL_OTHERWISE)
		g->state = GOAL_LEFT;
	lab_kept_release(&kept);
	return 0;
}

/* ---------------------------------------------------------------- failed runs */

/* Is it a failure nobody told yet?  Then *key is its key, to be released. */
static bool is_new_failure(struct work *w, struct run_done *run, struct buffer *key)
{
	*key = (struct buffer){ 0 };
	if (!lab_failed(&w->lab, run))
		return false;
	failure_key(&w->lab.rule, run, key);
	if (names_get(&w->failures, (const char *)key->at, strlen((const char *)key->at)) == NO_NAME)
		return true;
	buffer_release(key);
	return false;
}

/* Two events changed places and the run failed: its order was wrong, unless in a trace of it something came between two accesses that belong
 * together. */
static int order_or_between(struct work *w, struct finding *f, const struct schedule *log, uint64_t address, struct err *why)
{
	struct run_done run;
	if (lab_trace(&w->lab, log, &run, why) < 0)
		return -1;
	run_done_release(&run);
	return tell_between(&w->out->found, f, w->lab.story, address, why) < 0 ? -1 : 0;
}

static int tell_failure(struct work *w, const struct recording *r, const struct aims_group *g, const struct aim *aim, struct run_done *run,
	const char *key, struct err *why)
{
	struct findings *l = &w->out->found;
	enum finding_kind kind = tell_kind(&run->result);
	struct failure_sign sign = { { shows_failure }, &w->lab.rule, key };
	struct lab_kept kept;
	enum finding_kind by_aim = aim->kind == AIM_TURN ? FINDING_ORDER : FINDING_ATOMICITY;
	struct finding *f = findings_add(l, kind == FINDING_KIND_COUNT ? by_aim : kind, FINDING_PREDICTED);
	names_put(&w->failures, key, strlen(key));
	tell_aim(l, f, r, aim, g->object);
	if (f->kind == FINDING_ORDER && order_or_between(w, f, &run->result.log, aim->at[0].address, why) < 0)
		return -1;
	if (keep(w, f, &run->result.log, &sign.sign, &kept, why) < 0)
		return -1;
	struct steer_result *end = kept.written ? &kept.run.result : &run->result;
	if (kind == FINDING_DEADLOCK || kind == FINDING_LOST_WAKEUP)
		tell_waits(l, f, end);
	else if (kind != FINDING_KIND_COUNT)
		tell_crash(l, f, end);
	tell_effect(l, f, end, true, false);
	if (kept.written)
		tell_order(l, f, &end->log, w->lab.story);
	lab_kept_release(&kept);
	return 0;
}

/* ---------------------------------------------------------------- one try */

struct try { bool made, left; struct run_done run; };

static void note_left(struct work *w, struct goal *g, const struct schedule *script, struct run_done *run)
{
	size_t at = (size_t)run->result.script_used;
	char *text = NULL;
	size_t bytes = 0;
	if (!g->finding || at >= script->steps.count)
		return;
	FILE *to = open_memstream(&text, &bytes);
	if (to) {
		schedule_print_step(script, &script->steps.at[at], to);
		fclose(to);
	}
	g->finding->left_at = at + 1;
	g->finding->expected = findings_text(&w->out->found, text ? text : "");
	g->finding->came = findings_text(&w->out->found, run->result.text);
	free(text);
}

static uint64_t script_hash(const struct schedule *s, const struct goal *g)
{
	uint64_t hash = (uint64_t)(uintptr_t)g->key;
	for (size_t i = 0; i < s->steps.count; i++)
		hash = steer_mix_step(hash, s->steps.at[i].what, s->steps.at[i].thread, s->steps.at[i].nth, 0);
	return hash;
}

/* Runs one order of an aim, unless it was.  *t to be released if made. */
static int try_way(struct work *w, const struct recording *r, struct goal *g, const struct aim *aim, uint32_t way, struct try *t, struct err *why)
{
	struct schedule script;
	char *rule = NULL;
	size_t bytes = 0;
	*t = (struct try){ 0 };
	FILE *explain = open_memstream(&rule, &bytes);
	enum order_answer answer = script_make(&script, r, aim, way, explain);
	if (explain)
		fclose(explain);
	if (answer != ORDER_YES) {
		if (g->state == GOAL_OPEN && answer == ORDER_NO) {
			g->state = GOAL_INFEASIBLE;
			if (g->finding)
				g->finding->rule = work_rule(w, rule);
		}
		free(rule);
		return 0;
	}
	free(rule);
	bool fresh;
	map_put(&w->tried, script_hash(&script, g), &fresh);
	if (!fresh) {
		schedule_release(&script);
		return 0;
	}
	g->tries++;
	int got = lab_run(&w->lab, &script, false, &t->run, why);
	t->made = got == 0;
	if (got == 0 && t->run.result.outcome == OUTCOME_LEFT) {
		t->left = true;
		note_left(w, g, &script, &t->run);
		run_done_release(&t->run);
		got = lab_run(&w->lab, &script, true, &t->run, why);
		t->made = got == 0;
	}
	schedule_release(&script);
	return got;
}

/* A failed run that no finding tells of becomes one.  1: it did, 0, -1 and why. */
static int look_for_failure(struct work *w, const struct recording *r, const struct aims_group *g, const struct aim *aim, struct run_done *run, struct err *why)
{
	struct buffer key;
	if (!is_new_failure(w, run, &key))
		return 0;
	int got = tell_failure(w, r, g, aim, run, (const char *)key.at, why);
	buffer_release(&key);
	return got < 0 ? -1 : 1;
}

/* ---------------------------------------------------------------- values */

enum closed { VALUES_ERROR = -1, VALUES_OPEN, VALUES_CLOSE, VALUES_DOUBT };     /* DOUBT: the question was too hard */

/* Is there an order of these events that keeps what they depend on?  *rule says why not (to be freed). */
static enum closed aim_closed(struct work *w, const struct recording *r, const struct aim *aim, char **rule, struct err *why)
{
	char *said = NULL;
	size_t bytes = 0;
	enum order_answer answer = ORDER_UNKNOWN;
	FILE *explain = open_memstream(&said, &bytes);
	int got = values_ask(&w->values, r, aim, &answer, explain, why);
	if (explain)
		fclose(explain);
	if (got == 0 && answer == ORDER_NO) {
		free(*rule);
		*rule = said;
	} else
		free(said);
	return got < 0 ? VALUES_ERROR : answer == ORDER_NO ? VALUES_CLOSE : answer == ORDER_UNKNOWN ? VALUES_DOUBT : VALUES_OPEN;
}

/* Those of a group that were not tried so far: the first that is possible, or some of those in doubt, are its aims from here on. */
static enum closed further_closed(struct work *w, const struct recording *r, struct aims_group *group, char **rule, struct err *why)
{
	struct aim doubt[DOUBTS_MOST];
	size_t doubts = 0;
	enum closed closed = VALUES_CLOSE;
	for (size_t i = 0; i < group->further.count && (closed == VALUES_CLOSE || closed == VALUES_DOUBT) && doubts < DOUBTS_MOST; i++) {
		struct aim aim = further_aim(group, i);
		if (!work_may_run(w))
			return VALUES_OPEN;             /* interrupted, or no runs are left: not decided */
		closed = aim_closed(w, r, &aim, rule, why);
		if (closed == VALUES_OPEN) {
			group->aims.at[0] = aim;
			group->aims.count = 1;
		}
		if (closed == VALUES_DOUBT)
			doubt[doubts++] = aim;
	}
	if (closed != VALUES_CLOSE && closed != VALUES_DOUBT)
		return closed;
	if (doubts)
		group->aims.count = 0;
	for (size_t i = 0; i < doubts; i++)
		vec_push(&group->aims, doubt[i]);
	return doubts ? VALUES_DOUBT : VALUES_CLOSE;
}

/* No run showed it so far.  Could one, as long as what its events depend on stays as it was?  The last of the aims that cannot says why. */
static enum closed closed_by_values(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why)
{
	char *rule = NULL;
	enum closed closed = g->finding && !g->raced ? VALUES_CLOSE : VALUES_OPEN;
	if (closed && !w->values.model && w->setup->model)
		w->setup->model(w->setup->with, &w->values.model, &w->values.depend);
	for (size_t i = 0; i < group->aims.count && closed == VALUES_CLOSE; i++)
		closed = aim_closed(w, r, &group->aims.at[i], &rule, why);
	if (closed == VALUES_DOUBT)
		closed = VALUES_OPEN;
	if (closed == VALUES_CLOSE)
		closed = further_closed(w, r, group, &rule, why);
	if (closed == VALUES_CLOSE)
		g->finding->rule = work_rule(w, rule);
	if (closed == VALUES_CLOSE && group->unasked)
		g->finding->assumed = work_not_all;
	free(rule);
	return closed;
}

/* Runs did not show it.  What was open in one recording stays so, whatever another says. */
static void goal_not_shown(struct goal *g, bool closed)
{
	g->state = closed && g->state != GOAL_LEFT ? GOAL_INFEASIBLE : GOAL_LEFT;
	if (g->state == GOAL_LEFT && g->finding)
		g->finding->assumed = "";
}

/* ---------------------------------------------------------------- races */

static unsigned effect_of(struct work *w, const struct run_done *run)
{
	return lab_failed(&w->lab, run) ? 2 : lab_output(run) != w->lab.output;
}

static void schedule_move(struct schedule *to, struct schedule *from)
{
	schedule_release(to);
	*to = *from;
	schedule_init(from);
}

/* Writes first: what they do to each other shows most. */
static int by_writes(const void *a, const void *b)
{
	const struct aim *x = a, *y = b;
	return (y->at[0].writes + y->at[1].writes) - (x->at[0].writes + x->at[1].writes);
}

static bool is_lifetime(const struct aim *aim)
{
	for (uint32_t i = 0; i < aim->count; i++)
		if (aim->at[i].kind == EV_FREE || aim->at[i].kind == EV_REALLOC)
			return true;
	return false;
}

struct race_tries { struct schedule best; unsigned effect; bool shown, over; uint32_t made; };    /* over: told as what it is, a use of freed memory */

static int try_race_once(struct work *w, const struct recording *r, struct goal *g, const struct aims_group *group, const struct aim *aim, uint32_t way,
	struct race_tries *s, struct err *why)
{
	struct race_sign sign = sign_of(aim);
	struct try t;
	int got = try_way(w, r, g, aim, way, &t, why);
	if (got < 0 || !t.made)
		return got;
	s->made++;
	unsigned now = effect_of(w, &t.run);
	work_remember(w, &t.run);
	if (tell_kind(&t.run.result) != FINDING_KIND_COUNT)
		got = look_for_failure(w, r, group, aim, &t.run, why);
	if (got == 1)
		g->state = GOAL_OTHERWISE;
	s->over = got == 1 && is_lifetime(aim);
	if (!s->over && !t.left && got >= 0 && shows_race(&sign.sign, &t.run) && (!s->shown || now > s->effect)) {
		s->shown = true;
		s->effect = now;
		schedule_move(&s->best, &t.run.result.log);
	}
	run_done_release(&t.run);
	return got < 0 ? -1 : 0;
}

static int try_race_aims(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, uint32_t most, struct race_tries *s, struct err *why)
{
	int got = 0;
	qsort(group->aims.at, group->aims.count, sizeof *group->aims.at, by_writes);
	for (uint32_t way = 0; way < 4; way++)
		for (size_t i = 0; i < group->aims.count && got == 0 && !s->over && s->effect < 2 && s->made < most && work_may_run(w); i++)
			got = try_race_once(w, r, g, group, &group->aims.at[i], way, s, why);
	return got;
}

static int try_race(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why)
{
	struct race_tries s = { 0 };
	struct race_sign sign = sign_of(&group->aims.at[0]);
	enum closed closed = VALUES_OPEN;
	schedule_init(&s.best);
	int got = try_race_aims(w, r, g, group, TRIES_UNASKED, &s, why);
	if (got == 0 && !s.shown && !s.over && s.made)
		closed = closed_by_values(w, r, g, group, why);
	if (got == 0 && (closed == VALUES_OPEN || closed == VALUES_DOUBT))
		got = try_race_aims(w, r, g, group, TRIES_A_GOAL, &s, why);
	if (closed == VALUES_ERROR)
		got = -1;
	if (got == 0 && s.shown && !s.over)
		got = keep_race(w, g, &sign, &s.best, why);
	else if (got == 0 && s.made && g->state != GOAL_OTHERWISE)
		goal_not_shown(g, closed == VALUES_CLOSE);
	schedule_release(&s.best);
	return got;
}

/* ---------------------------------------------------------------- the others */

/* What the two orders without the third access put out: known outcomes.  1: `output` is one of them, 0, -1 and why. */
static int is_serial(struct work *w, const struct recording *r, const struct aim *aim, uint64_t output, struct err *why)
{
	struct aim turns[2] = { { .kind = AIM_TURN, .count = 2, .at = { aim->at[0], aim->at[1] } },
		{ .kind = AIM_TURN, .count = 2, .at = { aim->at[1], aim->at[2] } } };
	bool is = output == w->lab.output;
	for (int i = 0; i < 2 && !is; i++)
		for (uint32_t way = 0; way < 2 && !is; way++) {
			struct schedule script;
			struct run_done run;
			if (script_make(&script, r, &turns[i], way, NULL) != ORDER_YES)
				continue;
			int got = lab_run(&w->lab, &script, true, &run, why);
			schedule_release(&script);
			if (got < 0)
				return -1;
			is = lab_output(&run) == output;
			run_done_release(&run);
		}
	return is;
}

static bool explained_by_race(const struct work *w, const char *object)
{
	for (size_t i = 0; i < w->goals.count; i++)
		if (w->goals.at[i].kind == AIM_RACE && w->goals.at[i].state == GOAL_REACHED && !strcmp(w->goals.at[i].finding->object.name, object))
			return true;
	return false;
}

/* The run ended well, but put out what it should not be able to?  Asked only where a write is made from what was read before another one's
 * came: that is lost then.  Reading twice, or seeing what is written first, may be meant so. */
static int look_at_output(struct work *w, const struct recording *r, struct goal *g, const struct aims_group *group, const struct aim *aim,
	struct run_done *run, struct err *why)
{
	struct output_sign sign = { { shows_output }, lab_output(run) };
	bool loses = !aim->at[0].writes && aim->at[1].writes && aim->at[2].writes;
	if (!loses || run->result.outcome != OUTCOME_EXIT || explained_by_race(w, group->object))
		return 0;
	int got = is_serial(w, r, aim, sign.output, why);
	if (got != 0)
		return got < 0 ? -1 : 0;
	struct lab_kept kept;
	struct findings *l = &w->out->found;
	struct finding *f = findings_add(l, FINDING_ATOMICITY, FINDING_PREDICTED);
	tell_aim(l, f, r, aim, group->object);
	if (keep(w, f, &run->result.log, &sign.sign, &kept, why) < 0)
		return -1;
	if (kept.written) {
		tell_effect(l, f, &kept.run.result, false, true);
		tell_order(l, f, &kept.run.result.log, w->lab.story);
		g->state = GOAL_REACHED;
	}
	lab_kept_release(&kept);
	return 0;
}

static int try_other(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why)
{
	int got = 0;
	uint32_t tries = 0;
	for (size_t i = 0; i < group->aims.count; i++)
		for (uint32_t way = 0; way < script_ways(&group->aims.at[i]) && g->state != GOAL_REACHED && tries < TRIES_A_GOAL && work_may_run(w); way++) {
			const struct aim *aim = &group->aims.at[i];
			struct try t;
			got = try_way(w, r, g, aim, way, &t, why);
			if (got < 0)
				return -1;
			if (!t.made)
				continue;
			tries++;
			got = look_for_failure(w, r, group, aim, &t.run, why);
			if (got == 1)
				g->state = group->kind == AIM_WAITS ? GOAL_OTHERWISE : GOAL_REACHED;
			else if (got == 0 && lab_failed(&w->lab, &t.run))
				g->state = GOAL_OTHERWISE;
			else if (got == 0 && group->kind == AIM_BETWEEN && lab_output(&t.run) != w->lab.output)
				got = look_at_output(w, r, g, group, aim, &t.run, why);
			if (got == 0)
				work_remember(w, &t.run);
			run_done_release(&t.run);
			if (got < 0)
				return -1;
		}
	if (g->state >= GOAL_REACHED || !tries)
		return 0;
	enum closed closed = closed_by_values(w, r, g, group, why);
	goal_not_shown(g, closed == VALUES_CLOSE);
	return closed == VALUES_ERROR ? -1 : 0;
}

int goal_try(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why)
{
	return group->kind == AIM_RACE ? try_race(w, r, g, group, why) : try_other(w, r, g, group, why);
}
