/* analyses/predict/shown.c -- see shown.h. */
#include "analyses/predict/shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/predict/between.h"
#include "analyses/predict/tell.h"
#include "drive/saved.h"
#include "trace/objects.h"

/* ---------------------------------------------------------------- signs */

/* What an object is called, as far as that is the same in all runs: of stacks and the like one stands for all, and of memory nobody knows its 8 bytes. */
static void object_word(const char *object, char into[256])
{
	static const char *const alike[] = { "stack of ", "thread-local of " };
	for (int i = 0; i < 2; i++)
		if (!strncmp(object, alike[i], strlen(alike[i])))
			object = alike[i];
	if (!strncmp(object, "0x", 2))
		snprintf(into, 256, "0x%" PRIx64, (uint64_t)strtoull(object, NULL, 16) & ~UINT64_C(7));
	else
		snprintf(into, 256, "%s", object);
}

/* The same of what the detector says, as trace/objects.h names it. */
static void race_object(const struct race *race, char into[256])
{
	const struct race_memory *m = &race->memory;
	char where[160];
	switch (m->kind) {
	case RACE_GLOBAL: snprintf(into, 256, "%s", m->name); break;
	case RACE_STACK:  snprintf(into, 256, "stack of "); break;
	case RACE_TLS:    snprintf(into, 256, "thread-local of "); break;
	case RACE_HEAP:
	case RACE_MAP:
		place_short(m->place, where, sizeof where);
		snprintf(into, 256, "%s %s", m->kind == RACE_MAP ? "mapping" : "heap", *where ? where : "object");
		break;
	default:          snprintf(into, 256, "0x%" PRIx64, race->side[0].address & ~UINT64_C(7));
	}
}

void sign_object(struct race_sign *s, const char *object)
{
	object_word(object, s->object);
}

bool sign_is_of(const struct race_sign *s, const char *object)
{
	char word[256];
	object_word(object, word);
	return !strcmp(s->object, word);
}

static bool is_of(const struct race *race, const struct race_sign *s)
{
	char object[256];
	race_object(race, object);
	return !strcmp(object, s->object);
}

const struct race *race_of(const struct race_sign *s, const struct race_list *l)
{
	char line[2][160];
	for (size_t i = 0; i < l->all.count; i++) {
		for (int k = 0; k < 2; k++)
			place_short(l->all.at[i].side[k].place, line[k], sizeof line[k]);
		if (!(!strcmp(line[0], s->lines[0]) && !strcmp(line[1], s->lines[1])) && !(!strcmp(line[1], s->lines[0]) && !strcmp(line[0], s->lines[1])))
			continue;
		for (const struct race *race = &l->all.at[i]; race; race = race->also)
			if (is_of(race, s))
				return race;
	}
	return NULL;
}

bool shows_race(const struct lab_sign *sign, struct run_done *run)
{
	return race_of((const struct race_sign *)sign, &run->result.races) != NULL;
}

void mark_race(const struct lab_sign *sign, struct run_done *run)
{
	const struct race *race = race_of((const struct race_sign *)sign, &run->result.races);
	if (race)
		evidence_stop_at_race(run, race);
}

struct race_sign sign_of(const struct aim *aim, const char *object)
{
	struct race_sign s = { .sign = { shows_race, mark_race } };
	object_word(object, s.object);
	for (int i = 0; i < 2; i++)
		place_short(aim->at[i].place, s.lines[i], sizeof s.lines[i]);
	return s;
}

struct race_sign sign_of_race(const struct race *race)
{
	struct race_sign s = { .sign = { shows_race, mark_race } };
	for (int i = 0; i < 2; i++)
		place_short(race->side[i].place, s.lines[i], sizeof s.lines[i]);
	race_object(race, s.object);
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

bool shows_same_failure(const struct work *w, struct run_done *run, const char *key)
{
	struct failure_sign sign = { { shows_failure, NULL }, &w->lab->rule, key };
	return shows_failure(&sign.sign, run);
}

bool shows_output(const struct lab_sign *sign, struct run_done *run)
{
	return run->result.outcome == OUTCOME_EXIT && lab_output(run) == ((const struct output_sign *)sign)->output;
}

/* ---------------------------------------------------------------- races of recorded runs */

static uint32_t sign_text(const struct race_sign *s, char into[600])
{
	int first = strcmp(s->lines[0], s->lines[1]) > 0;
	int length = snprintf(into, 600, "%s %s %s", s->lines[first], s->lines[!first], s->object);
	return length > 0 ? (uint32_t)length : 0;
}

void races_seen(struct work *w, const struct race_list *l)
{
	char text[600];
	for (size_t i = 0; i < l->all.count; i++)
		for (const struct race *race = &l->all.at[i]; race; race = race->also) {
			struct race_sign s = sign_of_race(race);
			names_put(&w->raced, text, sign_text(&s, text));
		}
}

/* Nothing orders the two, but no order was found that brings them together: that takes a weaker memory. */
bool race_was_seen(const struct work *w, const struct aims_group *g)
{
	char text[600];
	struct race_sign s = sign_of(&g->aims.at[0], g->object);
	return names_get(&w->raced, text, sign_text(&s, text)) != NO_NAME;
}

/* ---------------------------------------------------------------- what is kept */

static void tell_confirmed(struct work *w, struct finding *f, const struct evidence *kept, const char *name)
{
	struct findings *l = &w->out->found;
	f->status = FINDING_CONFIRMED;
	f->rule = f->expected = f->came = "";
	f->assumed = !kept->live ? "" : kept->lends ? "the process it shares memory with does there what it did"
		: "what comes from outside is what it was: replays ask for it again";
	f->left_at = 0;
	f->schedule = kept->written ? findings_text(l, name) : "";
	f->unwritten = kept->written ? "" : findings_text(l, kept->why_not);
	f->replays = kept->replays;
	f->shown = kept->shown;
}

int shown_keep(struct work *w, struct finding *f, const struct schedule *log, const struct lab_sign *sign, struct evidence *kept, struct err *why)
{
	char path[4096 + 64];
	saved_next_name(w->setup->folder, finding_kind_word(f->kind), path, sizeof path);
	if (lab_keep(w->lab, log, path, w->setup->replays, sign, kept, why) < 0)
		return -1;
	if (kept->shown)
		tell_confirmed(w, f, kept, path + strlen(w->setup->folder));
	else if (!kept->interrupted)
		f->status = FINDING_NOT_REPRODUCED;     /* it was seen, and not again, or by no replay */
	if (!kept->shown && kept->written)
		saved_remove(path);
	if (!kept->shown && kept->again && !kept->interrupted) {
		f->unwritten = findings_text(&w->out->found, kept->why_not);
		f->replays = kept->replays;
	}
	return 0;
}

int shown_keep_race(struct work *w, struct goal *g, const struct race_sign *sign, const struct schedule *log, struct err *why)
{
	struct evidence kept;
	struct findings *l = &w->out->found;
	if (shown_keep(w, g->finding, log, &sign->sign, &kept, why) < 0)
		return -1;
	const struct race *race = race_of(sign, &kept.run.result.races);
	int got = kept.shown && race ? lab_judge(w->lab, &kept.run.result, why) : 0;
	if (kept.shown && race) {
		bool failed = lab_failed(w->lab, &kept.run);
		tell_race(l, g->finding, &kept.run.result.races, race);
		tell_effect(l, g->finding, &kept.run.result, failed, lab_differs(w->lab, &kept.run));
		if (kept.written)
			tell_order(l, g->finding, &kept.run.result.log, w->lab->story);
		g->state = GOAL_REACHED;
	} else if (g->state != GOAL_OTHERWISE && !kept.interrupted)
		g->state = GOAL_LEFT;
	evidence_release(&kept);
	return got;
}

/* ---------------------------------------------------------------- failed runs */

/* Is it a failure nobody told yet?  Then *key is its key, to be released. */
static bool is_new_failure(struct work *w, struct run_done *run, struct buffer *key)
{
	*key = (struct buffer){ 0 };
	if (!lab_failed(w->lab, run))
		return false;
	failure_key(&w->lab->rule, run, key);
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
	if (lab_trace(w->lab, log, &run, why) < 0)
		return -1;
	run_done_release(&run);
	return tell_between(&w->out->found, f, w->lab->story, address, why) < 0 ? -1 : 0;
}

/* Shows it again, and tells where and how it ended; in which order, if there is a trace of it. */
static int keep_failure(struct work *w, struct finding *f, struct run_done *run, const char *key, struct err *why)
{
	struct findings *l = &w->out->found;
	struct failure_sign sign = { { shows_failure, NULL }, &w->lab->rule, key };
	struct evidence kept;
	if (shown_keep(w, f, &run->result.log, &sign.sign, &kept, why) < 0)
		return -1;
	struct steer_result *end = kept.shown ? &kept.run.result : &run->result;
	if (f->kind == FINDING_DEADLOCK || f->kind == FINDING_LOST_WAKEUP)
		tell_waits(l, f, end);
	else if (f->kind == FINDING_CRASH || !f->places.count || (tell_kind(&run->result) != FINDING_KIND_COUNT && f->kind != FINDING_WEAK_MEMORY))
		tell_crash(l, f, end);
	tell_effect(l, f, end, true, false);
	if (kept.written)
		tell_order(l, f, &end->log, w->lab->story);
	evidence_release(&kept);
	return 0;
}

static int tell_failure(struct work *w, const struct recording *r, const struct aims_group *g, const struct aim *aim, struct run_done *run,
	const char *key, struct err *why)
{
	struct findings *l = &w->out->found;
	enum finding_kind kind = aim->kind == AIM_LATE ? FINDING_WEAK_MEMORY : tell_kind(&run->result);
	enum finding_kind by_aim = aim->kind == AIM_TURN || (aim->kind == AIM_HANDLED && aim->count == 2) ? FINDING_ORDER : FINDING_ATOMICITY;
	struct finding *f = findings_add(l, kind == FINDING_KIND_COUNT ? by_aim : kind, FINDING_PREDICTED);
	names_put(&w->failures, key, strlen(key));
	tell_aim(l, f, r, aim, aim->denied && kind == FINDING_NULL_DEREFERENCE ? "" : g->object);       /* a lock is no pointer */
	if (f->kind == FINDING_ORDER && aim->kind == AIM_TURN && order_or_between(w, f, &run->result.log, aim->at[0].address, why) < 0)
		return -1;
	return keep_failure(w, f, run, key, why);
}

/* A run failed by itself: there is no aim to tell of.  otherwise: what it is if it tells nothing else, FINDING_KIND_COUNT: a crash, or nothing.  *told: it is a finding. */
static int tell_by_itself(struct work *w, struct run_done *run, enum finding_kind otherwise, bool *told, struct err *why)
{
	enum finding_kind kind = tell_kind(&run->result);
	struct buffer key;
	int got = 0;
	if (kind == FINDING_KIND_COUNT)
		kind = otherwise != FINDING_KIND_COUNT ? otherwise : steer_faulted(&run->result) ? FINDING_CRASH : kind;        /* with no two events to blame */
	if (!is_new_failure(w, run, &key))
		return 0;
	names_put(&w->failures, (const char *)key.at, strlen((const char *)key.at));     /* runs that fail like it show nothing new */
	if (kind != FINDING_KIND_COUNT) {
		struct finding *f = findings_add(&w->out->found, kind, FINDING_PREDICTED);
		got = keep_failure(w, f, run, (const char *)key.at, why);
		*told = got == 0 && f->status == FINDING_CONFIRMED;
	}
	buffer_release(&key);
	return got;
}

int tell_recorded_failure(struct work *w, struct run_done *run, struct err *why)
{
	return tell_by_itself(w, run, FINDING_KIND_COUNT, &w->out->failure_told, why);
}

int tell_drawn_failure(struct work *w, struct run_done *run, struct err *why)
{
	bool told = false;
	return w->failures.count ? 0 : tell_by_itself(w, run, FINDING_ORDER, &told, why);
}

int tell_lingering_failure(struct work *w, struct run_done *run, struct err *why)
{
	bool told = false;
	if (tell_kind(&run->result) == FINDING_KIND_COUNT)
		return 0;
	int got = tell_by_itself(w, run, FINDING_KIND_COUNT, &told, why);
	if (told)
		work_keep(w, run);
	return got;
}

int look_for_failure(struct work *w, const struct recording *r, const struct aims_group *g, const struct aim *aim, struct run_done *run, struct err *why)
{
	struct buffer key;
	if (!is_new_failure(w, run, &key))
		return 0;
	int got = tell_failure(w, r, g, aim, run, (const char *)key.at, why);
	buffer_release(&key);
	return got < 0 ? -1 : 1;
}
