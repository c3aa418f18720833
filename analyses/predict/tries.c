/* analyses/predict/tries.c -- runs for one goal: its orders one after another, until one shows it. */
#include <stdlib.h>
#include <string.h>

#include "analyses/predict/beside.h"
#include "analyses/predict/between.h"
#include "analyses/predict/closed.h"
#include "analyses/predict/dams.h"
#include "analyses/predict/neighbours.h"
#include "analyses/predict/novel.h"
#include "analyses/predict/script.h"
#include "analyses/predict/shown.h"
#include "analyses/predict/tell.h"

#define TRIES_A_GOAL    8u              /* runs for one goal in one recording */
#define TRIES_UNASKED   4u              /* of them before it is asked whether values forbid it */
#define TRIES_LATER     2u              /* of an order that is no bug by itself, where it was tried in vain in two recordings before */
#define LEFT_ENOUGH     2u              /* runs that left their schedules at one step: what begins like them up to there is not run to be left there too */
#define TRIES_KEPT      4u              /* of a race nothing showed: orders in which what its events depend on stays as it was, in one recording, */
#define KEPT_IN_ALL     8u              /* and in all of them */
#define TRIES_AGAINST   2u              /* where they are known to stand against it, in all recordings, even if that is a proof: a run would show a mistake of ours */

/* ---------------------------------------------------------------- one try */

static void finding_left(struct goal *g, size_t at, const char *expected, const char *came)
{
	if (!g->finding)
		return;
	g->finding->left_at = at + 1;
	g->finding->expected = expected;
	g->finding->came = came;
}

/* A script up to and with its next step, as a number.  What it does depends on the recording too: thread by thread, it says how far. */
static uint64_t begun_on(const struct work *w, const struct schedule_step *step, uint64_t hash)
{
	hash = hash ? hash : w->out->recordings;
	return steer_mix_step(hash, step->what | (uint32_t)step->kind << 8, step->thread, step->nth, step->answer);
}

/* A step in words, kept with the findings. */
static const char *step_text(struct work *w, const struct schedule *script, size_t at)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = open_memstream(&text, &bytes);
	if (to) {
		schedule_print_step(script, &script->steps.at[at], to);
		fclose(to);
	}
	const char *kept = findings_text(&w->out->found, text ? text : "");
	free(text);
	return kept;
}

static void note_left(struct work *w, struct goal *g, const struct schedule *script, struct run_done *run)
{
	size_t at = (size_t)run->result.script_used;
	uint64_t hash = 0;
	if (at >= script->steps.count)
		return;
	for (size_t i = 0; i <= at; i++)
		hash = begun_on(w, &script->steps.at[i], hash);
	uint64_t *number = map_put(&w->begun, hash, NULL);
	if (!*number) {
		vec_push(&w->left, ((struct left_at){ step_text(w, script, at), findings_text(&w->out->found, run->result.text), 0 }));
		*number = w->left.count;
	}
	struct left_at *l = &w->left.at[*number - 1];
	l->times++;
	finding_left(g, at, l->expected, l->came);
	dams_note(w, script, run, *number);
}

/* Runs are the same as long as their schedules are: have enough been left on the way?  Or in front of something that stands in its way too? */
static bool is_foreseen(struct work *w, struct goal *g, const struct schedule *script)
{
	uint64_t hash = 0, ahead;
	size_t at;
	for (size_t i = 0; i < script->steps.count; i++) {
		hash = begun_on(w, &script->steps.at[i], hash);
		const uint64_t *number = map_get(&w->begun, hash);
		if (!number || w->left.at[*number - 1].times < LEFT_ENOUGH)
			continue;
		finding_left(g, i, w->left.at[*number - 1].expected, w->left.at[*number - 1].came);
		return true;
	}
	if ((ahead = dams_ahead(w, script, LEFT_ENOUGH, &at)))
		finding_left(g, at, g->finding ? step_text(w, script, at) : "", w->left.at[ahead - 1].came);
	return ahead != 0;
}

static uint64_t script_hash(const struct schedule *s, const struct goal *g, const struct steer_late *late)
{
	uint64_t hash = steer_mix((uint64_t)(uintptr_t)g->key, late->nth);
	for (size_t i = 0; i < s->steps.count; i++)
		hash = steer_mix_step(hash, s->steps.at[i].what, s->steps.at[i].thread, s->steps.at[i].nth, 0);
	return hash;
}

void try_release(struct try *t)
{
	schedule_release(&t->script);
	run_done_release(&t->run);
}

/* Its schedule, if there is one: ways behind those of the aim are those that keep what its events depend on.  1, to be released, 0, -1 and why. */
static int make_script(struct work *w, const struct recording *r, struct goal *g, const struct aim *aim, uint32_t way, struct schedule *out, struct err *why)
{
	char *rule = NULL;
	size_t bytes = 0;
	if (way >= script_ways(aim))
		return kept_script(w, r, aim, way - script_ways(aim), out, why);
	FILE *explain = open_memstream(&rule, &bytes);
	enum order_answer answer = script_make(out, r, aim, way, explain);
	if (explain)
		fclose(explain);
	int all = g->state == GOAL_OPEN && answer == ORDER_NO ? closed_by_rules(w, r, aim, why) : 0;
	if (g->state == GOAL_OPEN && answer == ORDER_NO && all >= 0) {
		g->state = all ? GOAL_INFEASIBLE : GOAL_SPECULATIVE;
		if (g->finding)
			g->finding->rule = work_rule(w, rule);
	}
	free(rule);
	return all < 0 ? -1 : answer == ORDER_YES;
}

int try_way(struct work *w, const struct recording *r, struct goal *g, const struct aim *aim, uint32_t way, struct try *t, struct err *why)
{
	*t = (struct try){ 0 };
	int got = make_script(w, r, g, aim, way, &t->script, why);
	if (got != 1)
		return got;
	bool fresh;
	struct steer_late late = script_late(&t->script, r, aim);
	map_put(&w->tried, script_hash(&t->script, g, &late), &fresh);
	if (!fresh) {
		schedule_release(&t->script);
		return 0;
	}
	t->foreseen = g->shares && is_foreseen(w, g, &t->script);
	if (t->foreseen) {
		g->foreseen++;
		schedule_release(&t->script);
		return 0;
	}
	g->tries++;
	got = lab_run(w->lab, &t->script, false, &late, &t->run, why);
	t->made = got == 0;
	if (got == 0 && t->run.result.outcome == OUTCOME_LEFT) {
		t->left = true;
		note_left(w, g, &t->script, &t->run);
		run_done_release(&t->run);
		got = lab_run(w->lab, &t->script, true, &late, &t->run, why);
		t->made = got == 0;
	}
	if (!t->made)
		schedule_release(&t->script);
	return got;
}

/* ---------------------------------------------------------------- races */

/* Runs did not show it.  What was open in one recording stays so, whatever another says. */
static void goal_not_shown(struct goal *g, enum closed closed)
{
	enum goal_state now = closed == VALUES_CLOSE ? GOAL_INFEASIBLE : closed == VALUES_UNLIKELY ? GOAL_SPECULATIVE : GOAL_LEFT;
	g->state = g->state > now ? g->state : now;
	if (g->state == GOAL_LEFT && g->finding)
		g->finding->assumed = "";
}

static unsigned effect_of(struct work *w, const struct run_done *run)
{
	return lab_failed(w->lab, run) ? 2 : lab_differs(w->lab, run);
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
		if (kind_gives_back(aim->at[i].kind))
			return true;
	return false;
}

/* Nothing orders the two in this run: do they come one after the other in it?  1, 0, -1 and why.  If not, another run may bring them together. */
static int stand_together(struct work *w, const struct race_sign *sign, const struct run_done *run, struct err *why)
{
	int together = neighbours_shown(w, &run->result.log, sign, why);
	if (together == 0)
		beside_note(w, NULL, run);
	return together;
}

/* Did it end by an error in memory at one of its lines?  If that is told already, there is no more to be told of them. */
static bool ends_there(const struct aim *aim, struct steer_result *r)
{
	const struct steer_thread *t = steer_running(r);
	struct source at;
	enum finding_kind kind = tell_kind(r);
	if (!t || (kind != FINDING_USE_AFTER_FREE && kind != FINDING_USE_AFTER_RETURN && kind != FINDING_DOUBLE_FREE) || !places_source(r->places, t->place, &at))
		return false;
	for (uint32_t i = 0; i < aim->count; i++) {
		const struct place *own = place_own(aim->at[i].place);
		if (own->line == at.line && !strcmp(own->file, at.file))
			return true;
	}
	return false;
}

struct race_tries { struct schedule best; unsigned effect; bool shown, over; uint32_t made; };    /* over: told as what it is, a use of freed memory */

/* The second access came first, and the program ended before the other one came: no race is seen in such a run, but it is their order that ended it so. */
static int look_at_turn(struct work *w, const struct recording *r, const struct aims_group *group, const struct aim *race, struct run_done *run, struct err *why)
{
	struct aim turn = *race;
	turn.kind = AIM_TURN;
	return look_for_failure(w, r, group, &turn, run, why) < 0 ? -1 : 0;
}

static int try_race_once(struct work *w, const struct recording *r, struct goal *g, const struct aims_group *group, const struct aim *aim, uint32_t way,
	struct race_tries *s, struct err *why)
{
	struct race_sign sign = sign_of(aim, group->object);
	struct try t;
	int got = try_way(w, r, g, aim, way, &t, why);
	s->made += t.foreseen;
	if (got < 0 || !t.made)
		return got;
	s->made++;
	unsigned now = effect_of(w, &t.run);
	beside_note(w, g, &t.run);
	work_remember(w, &t.run);
	if (tell_kind(&t.run.result) != FINDING_KIND_COUNT)
		got = look_for_failure(w, r, group, aim, &t.run, why);
	bool told = got == 1 || (got == 0 && is_lifetime(aim) && ends_there(aim, &t.run.result));
	if (told)
		g->state = GOAL_OTHERWISE;
	s->over = told && is_lifetime(aim);
	bool shows = !t.left && shows_race(&sign.sign, &t.run);
	if (got == 0 && now == 2 && !t.left && !shows && way % 2 == 0)
		got = look_at_turn(w, r, group, aim, &t.run, why);
	if (!s->over && got >= 0 && shows && (!s->shown || now > s->effect))
		got = stand_together(w, &sign, &t.run, why);
	else
		got = got < 0 ? -1 : 0;
	if (got == 1) {
		s->shown = true;
		s->effect = now;
		schedule_move(&s->best, &t.script);      /* not its log: what comes from outside behind the two may come otherwise */
	}
	try_release(&t);
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

/* A third thread may have written late in the recording what has to be read first now. */
static int try_race_kept(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct race_tries *s, struct err *why)
{
	int got = 0;
	uint32_t before = s->made, most = KEPT_IN_ALL - g->kept < TRIES_KEPT ? KEPT_IN_ALL - g->kept : TRIES_KEPT;
	for (uint32_t way = 0; way < KEPT_WAYS; way++)
		for (size_t i = 0; i < group->aims.count && got == 0 && !s->over && !s->shown && s->made < before + most && work_may_run(w); i++)
			got = try_race_once(w, r, g, group, &group->aims.at[i], script_ways(&group->aims.at[i]) + way, s, why);
	g->kept += s->made - before;
	return got;
}

/* How many runs it is worth where values stand against it. */
static uint32_t tries_against(const struct goal *g)
{
	uint32_t tries = g->tries + g->foreseen;
	return TRIES_AGAINST > tries ? TRIES_AGAINST - tries : 0;
}

static int try_race(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why)
{
	struct race_tries s = { 0 };
	struct race_sign sign = sign_of(&group->aims.at[0], group->object);
	bool first = group->rank == RANK_AGAINST || (g->state == GOAL_SPECULATIVE && !g->raced);      /* asked before any run */
	enum closed closed = first ? closed_by_values(w, r, g, group, why) : VALUES_OPEN;
	g->shares = group->doubted || (first && closed < VALUES_DOUBT);
	uint32_t most = !first ? TRIES_UNASKED : closed >= VALUES_DOUBT ? TRIES_A_GOAL : tries_against(g);
	schedule_init(&s.best);
	int got = try_race_aims(w, r, g, group, most, &s, why);
	if (got == 0 && !first && !s.shown && !s.over && s.made) {
		closed = closed_by_values(w, r, g, group, why);
		if (closed >= VALUES_DOUBT)
			got = try_race_aims(w, r, g, group, TRIES_A_GOAL, &s, why);
	}
	if (closed == VALUES_ERROR)
		got = -1;
	if (got == 0 && !s.shown && !s.over && closed != VALUES_CLOSE && (s.made || first))
		got = try_race_kept(w, r, g, group, &s, why);
	if (got == 0 && s.shown && !s.over)
		got = shown_keep_race(w, g, &sign, &s.best, why);
	else if (got == 0 && (s.made || (first && !most)) && g->state != GOAL_OTHERWISE)
		goal_not_shown(g, closed);
	schedule_release(&s.best);
	return got;
}

/* ---------------------------------------------------------------- the others */

/* The two orders in which nothing comes between: the other's access, or its update of which that is the second half, or the handler, before both and behind both. */
static void serial_orders(const struct aim *aim, struct aim turns[2])
{
	turns[0] = (struct aim){ .kind = AIM_TURN, .count = 2, .at = { aim->at[0], aim->at[1] } };
	turns[1] = (struct aim){ .kind = AIM_TURN, .count = 2, .at = { aim->at[1], aim->at[2] } };
	if (aim->kind == AIM_BETWEEN && aim->at[BETWEEN_READ].place)
		turns[1].at[0] = aim->at[BETWEEN_READ];         /* a whole update */
	if (aim->kind != AIM_HANDLED)
		return;
	turns[0] = turns[1] = *aim;
	turns[0].behind = 0;
	turns[0].at[2] = aim->at[0];
	turns[1].behind = 1;
	turns[1].at[0] = aim->at[2];
}

/* Not so if the thread read again, and only says that it had to.  A handler's accesses are its thread's: it is not seen in the trace there. */
static int is_lost(struct work *w, const struct aim *aim, const struct schedule *log, struct err *why)
{
	struct run_done run;
	if (aim->kind == AIM_HANDLED)
		return aim->at[2].kind != EV_CAS && aim->at[2].kind != EV_RMW;
	if (lab_trace(w->lab, log, &run, why) < 0)
		return -1;
	run_done_release(&run);
	return trace_loses(w->lab->story, aim->at[0].address, why);
}

/* What the two orders without the third access put out: known outcomes, unless something else is lost there in the same way.  1: `output` is one of them, 0, -1 and why. */
static int is_serial(struct work *w, const struct recording *r, const struct aim *aim, uint64_t output, struct err *why)
{
	struct aim turns[2];
	serial_orders(aim, turns);
	bool is = output == w->lab->output;
	for (int i = 0; i < 2 && !is; i++)
		for (uint32_t way = 0; way < 2 && !is; way++) {
			struct schedule script;
			struct run_done run;
			if (script_make(&script, r, &turns[i], way, NULL) != ORDER_YES)
				continue;
			int got = lab_run(w->lab, &script, true, NULL, &run, why);
			schedule_release(&script);
			if (got < 0)
				return -1;
			int lost = lab_output(&run) == output ? is_lost(w, aim, &run.result.log, why) : 1;
			is = lost == 0 || (lost == 1 && aim->kind == AIM_HANDLED && lab_output(&run) == output);
			run_done_release(&run);
			if (lost < 0)
				return -1;
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
	struct output_sign sign = { { shows_output, NULL }, lab_output(run) };
	bool loses = aim->count == 3 && !aim->at[0].writes && aim->at[1].writes && aim->at[2].writes && aim->at[0].address == aim->at[2].address;
	if (!loses || run->result.outcome != OUTCOME_EXIT || explained_by_race(w, group->object))
		return 0;
	int got = is_serial(w, r, aim, sign.output, why);
	if (got != 0)
		return got < 0 ? -1 : 0;
	got = made_from_read(w, r, aim, why);
	if (got == 1)
		got = is_lost(w, aim, &run->result.log, why);
	if (got != 1)
		return got;
	struct evidence kept;
	struct findings *l = &w->out->found;
	struct finding *f = findings_add(l, FINDING_ATOMICITY, FINDING_PREDICTED);
	tell_aim(l, f, r, aim, group->object);
	if (shown_keep(w, f, &run->result.log, &sign.sign, &kept, why) < 0)
		return -1;
	if (kept.shown) {
		tell_effect(l, f, &kept.run.result, false, true);
		if (kept.written)
			tell_order(l, f, &kept.run.result.log, w->lab->story);
		g->state = GOAL_REACHED;
	}
	evidence_release(&kept);
	return 0;
}

/* How many runs an order is worth in this recording: less in each further one in which it changes nothing. */
static uint32_t tries_here(const struct goal *g, const struct aims_group *group)
{
	if (group->rank == RANK_AGAINST)
		return tries_against(g);
	if (group->kind != AIM_BETWEEN && group->kind != AIM_TURN)
		return TRIES_A_GOAL;
	return g->in_vain < 2 ? TRIES_A_GOAL >> g->in_vain : TRIES_LATER;
}

static int try_other(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why)
{
	int got = 0;
	uint32_t tries = 0, most = tries_here(g, group);
	g->shares = group->doubted || group->rank == RANK_AGAINST;
	for (size_t i = 0; i < group->aims.count; i++)
		for (uint32_t way = 0; way < script_ways(&group->aims.at[i]) && g->state != GOAL_REACHED && tries < most && work_may_run(w); way++) {
			const struct aim *aim = &group->aims.at[i];
			struct try t;
			got = try_way(w, r, g, aim, way, &t, why);
			if (got < 0)
				return -1;
			tries += t.foreseen;
			if (!t.made)
				continue;
			tries++;
			beside_note(w, g, &t.run);
			got = look_for_failure(w, r, group, aim, &t.run, why);
			if (got == 1)
				g->state = group->kind == AIM_WAITS ? GOAL_OTHERWISE : GOAL_REACHED;
			else if (got == 0 && lab_failed(w->lab, &t.run))
				g->state = GOAL_OTHERWISE;
			else if (got == 0 && (group->kind == AIM_BETWEEN || group->kind == AIM_HANDLED) && lab_differs(w->lab, &t.run))
				got = look_at_output(w, r, g, group, aim, &t.run, why);
			if (got == 0)
				work_remember(w, &t.run);
			try_release(&t);
			if (got < 0)
				return -1;
		}
	if (g->state >= GOAL_REACHED || !tries)
		return 0;
	g->in_vain++;
	enum closed closed = closed_by_values(w, r, g, group, why);
	goal_not_shown(g, closed);
	return closed == VALUES_ERROR ? -1 : 0;
}

int goal_try(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why)
{
	return group->kind == AIM_RACE ? try_race(w, r, g, group, why) : try_other(w, r, g, group, why);
}
