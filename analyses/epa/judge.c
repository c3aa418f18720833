/* analyses/epa/judge.c -- see judge.h. */
#include "analyses/epa/judge.h"

#include <stdio.h>
#include <string.h>

#include "analyses/epa/diff.h"
#include "analyses/epa/fate.h"
#include "analyses/epa/outputs.h"
#include "base/str.h"
#include "trace/sites.h"

/* ---- where the fault is ---- */

static bool is_of_kind(unsigned event, const struct fault_place *s)
{
	static const uint8_t kinds[] = { EV_READ, EV_WRITE, EV_RESULT, EV_ARGUMENT, EV_CALL, EV_BRANCH };
	if (s->kind == PLACE_ATOMIC)
		return event == EV_ALOAD || event == EV_ASTORE || event == EV_RMW || event == EV_CAS;
	return event == kinds[s->kind];
}

/* Is this place of the book the site? */
static bool is_site(const struct names_book *b, uint32_t place, const struct fault_place *s)
{
	char own[32];
	uint32_t ordinal = s->kind == PLACE_RESULT || s->kind == PLACE_ARGUMENT ? s->ordinal + RESULT_ORDINAL : s->ordinal;
	snprintf(own, sizeof own, "%llx ", (unsigned long long)site_identity(s->unit, s->linkage, ordinal));
	return str_starts(book_say(b, b->place.at[place].own), own);
}

/* Where in the thread the fault was: the entry of its lane, SIZE_MAX not there. */
static size_t fault_at(const struct canon *c, const struct canon_lane *lane, const struct fault_place *s, uint64_t first)
{
	uint8_t *known = mem_take(c->book->place.count + 1);    /* 1 it is, 2 it is not */
	uint64_t wanted = (first - 1) * s->events + s->before;
	size_t found = SIZE_MAX;
	for (size_t i = 0; i < lane->count && found == SIZE_MAX; i++) {
		const struct canon_event *e = canon_at(lane, i);
		if (!is_of_kind(e->kind, s))
			continue;
		if (!known[e->place])
			known[e->place] = is_site(c->book, e->place, s) ? 1 : 2;
		if (known[e->place] == 1 && wanted-- == 0)
			found = i;
	}
	mem_free(known);
	return found;
}

static size_t fault_in(const struct judged *j, const struct canon *c, uint64_t *moment)
{
	size_t fault = SIZE_MAX;
	const struct fault_place *seen = place_seen(&j->golden->places, j->place, j->config->schedule);
	for (uint32_t i = 0; seen && i < c->lane_count; i++)
		if (!strcmp(c->lanes[i].path, j->site->thread) && (fault = fault_at(c, &c->lanes[i], seen, j->site->first)) != SIZE_MAX && moment)
			*moment = c->lanes[i].order.at[fault];
	return fault;
}

size_t judge_fault_at(const struct judged *j)
{
	return fault_in(j, &j->golden->canon, NULL);
}

/* ---- which threads deviate ---- */

struct deviant {                                /* one of them */
	const char *path;
	enum deviation kind;
	bool own, cut;                          /* it has the fault; it did nothing else but stop where the run was ended */
	int64_t after;
	uint32_t place;                         /* in the book; UINT32_MAX: not known */
};
typedef VEC(struct deviant) deviant_list;

static bool is_before(const struct deviant *a, const struct deviant *b)
{
	if (a->cut != b->cut)
		return b->cut;
	if (a->own != b->own)
		return a->own;
	return canon_by_path(&(struct canon_lane){ .path = a->path }, &(struct canon_lane){ .path = b->path }) < 0;
}

static void note_deviants(struct result *r, const struct names_book *book, const deviant_list *all)
{
	const struct deviant *first = NULL;
	for (size_t i = 0; i < all->count; i++) {
		const struct deviant *d = &all->at[i];
		r->threads += !d->cut;
		if (!first || is_before(d, first))
			first = d;
	}
	if (!first)
		return;
	r->threads += first->cut;
	r->after = first->own ? first->after : -1;
	snprintf(r->kind, sizeof r->kind, "%s", deviation_words[first->kind]);
	snprintf(r->thread, sizeof r->thread, "%s", first->path);
	if (first->place != UINT32_MAX) {
		const struct named_place *p = &book->place.at[first->place];
		snprintf(r->file, sizeof r->file, "%s", book_say(book, p->file));
		r->line = p->line;
	}
}

/* The first deviation of a thread behind the last entry of the event with the fault, which is none itself; its place in both lanes.  false: there is none. */
static bool later_deviation(const struct thread_diff *t, size_t fault, enum deviation *kind, size_t *golden, size_t *other)
{
	for (size_t k = 0; k < t->stretches.count; k++) {
		const struct stretch *s = &t->stretches.at[k];
		size_t from = s->other > fault ? 0 : fault + 1 - s->other;
		if (!s->aligned && s->other + s->other_count <= fault)
			continue;
		for (size_t i = from; s->aligned && i < s->other_count; i++)
			if (memcmp(canon_at(t->golden, s->golden + i), canon_at(t->other, s->other + i), sizeof(struct canon_event))) {
				*golden = s->golden + i;
				*other = s->other + i;
				*kind = deviation_between(canon_at(t->golden, *golden), canon_at(t->other, *other));
				return true;
			}
		if (!s->aligned) {
			*golden = s->golden;
			*other = s->other > fault ? s->other : fault + 1;
			*kind = *other < t->other->count && canon_at(t->other, *other)->kind == EV_FAILURE ? DEV_CRASH : DEV_CONTROL;
			return true;
		}
	}
	return false;
}

static uint32_t place_in(const struct thread_diff *t, size_t golden, size_t other)
{
	bool there = t->other && other < t->other->count && canon_at(t->other, other)->kind != EV_FAILURE;
	const struct canon_lane *lane = there ? t->other : t->golden;  /* where a thread died is where it should have gone on */
	size_t at = lane == t->other ? other : golden;
	return lane && at < lane->count ? canon_at(lane, at)->place : UINT32_MAX;
}

/* Is this the thread that died? */
static bool has_failed(const struct canon_lane *lane)
{
	size_t last = lane->count;
	while (last > 0 && canon_at(lane, last - 1)->kind >= CANON_MORE)
		last--;
	return last > 0 && canon_at(lane, last - 1)->kind == EV_FAILURE;
}

/* It stops, or is not there, because the run ended. */
static bool is_cut(const struct diff *d, const struct thread_diff *t, enum deviation kind, size_t other, bool ended)
{
	if (!t->other)
		return ended;
	if (!t->golden)
		return false;
	if (other >= t->other->count)
		return true;
	return ended && kind == DEV_CRASH && d->end && !has_failed(t->other);
}

/* A thread that was created but had not begun when the run ended has no memory in its trace: its handle, in the hands of who created it, has no name there. */
static bool has_unborn(const struct diff *d)
{
	bool any = false;
	for (uint32_t i = 0; i < d->thread_count; i++)
		any |= !d->threads[i].other;
	return any;
}

static void find_deviants(deviant_list *out, const struct diff *d, const struct judged *j, size_t fault)
{
	bool unborn = has_unborn(d);
	for (uint32_t i = 0; i < d->thread_count; i++) {
		const struct thread_diff *t = &d->threads[i];
		bool own = !strcmp(t->path, j->site->thread) && t->golden && t->other && fault != SIZE_MAX;
		size_t golden = t->at_golden, other = t->at_other, last = own && fault < t->other->count ? fault + canon_span(t->other, fault) - 1 : fault;
		enum deviation kind = t->first;
		if (!t->first || (own && ((other >= fault && other <= last) || (other < fault && unborn)) && !later_deviation(t, last, &kind, &golden, &other)))
			continue;
		if (t->golden && t->other && other >= t->other->count && d->end)
			kind = d->end;
		vec_push(out, ((struct deviant){ t->path, kind, own, is_cut(d, t, kind, other, j->late || j->signalled),
			!own ? -1 : other >= fault ? (int64_t)(other - fault) : -2, place_in(t, golden, other) }));
	}
}

/* ---- whether it was detected ---- */

int64_t judge_called(const struct canon *c, const char *function)
{
	int64_t first = -1;
	uint8_t *known = mem_take(2 * (c->book->place.count + 1));      /* of each place, entered and called: 1 it is, 2 it is not */
	for (uint32_t i = 0; i < c->lane_count; i++)
		for (size_t k = 0; k < c->lanes[i].count; k++) {
			const struct canon_event *e = canon_at(&c->lanes[i], k);
			if (e->kind != EV_ENTER && e->kind != EV_CALL)
				continue;
			uint8_t *is = &known[2 * e->place + (e->kind == EV_CALL)];
			if (!*is)
				*is = place_is_function(c->book, e->place, e->kind == EV_CALL, function) ? 1 : 2;
			if (*is == 1 && (first < 0 || c->lanes[i].order.at[k] < first))
				first = c->lanes[i].order.at[k];
		}
	mem_free(known);
	return first;
}

/* When it was called in this run, if it is what detects; `called`: -1 never. */
static int64_t detected_by_call(const struct judged *j, int64_t called)
{
	return called >= 0 && judge_called(&j->golden->canon, j->config->detect_function) < 0 ? called : -1;
}

/* Was it detected by what the run left when it ended? */
static bool detected_at_end(const struct judged *j, const struct result *r)
{
	const struct campaign_config *c = j->config;
	const struct golden_run *g = j->golden;
	const char *room = j->room;
	return (c->detect_exit >= 0 && r->exit == c->detect_exit && g->exit != c->detect_exit) ||
		(c->detect_signal > 0 && r->exit == 128 + c->detect_signal) ||
		(c->detect_stdout && outputs_match(room, OUTPUT_STDOUT, c->detect_stdout) && !outputs_match(g->room, OUTPUT_STDOUT, c->detect_stdout)) ||
		(c->detect_stderr && outputs_match(room, OUTPUT_STDERR, c->detect_stderr) && !outputs_match(g->room, OUTPUT_STDERR, c->detect_stderr));
}

/* From the fault to its detection.  When the run ended is known; what came before that is taken for evenly spread. */
static int64_t latency_in_us(const struct result *r, const struct fault_order *o, uint64_t moment, uint64_t events)
{
	if (r->latency < 0 || !o->when || o->ended < o->when)
		return -1;
	double share = events > moment ? (double)r->latency / (double)(events - moment) : 1;
	return (int64_t)((double)(o->ended - o->when) / 1000 * (share < 1 ? share : 1));
}

/* called: the number of the event by which what detects was called, or -1; moment: that of the fault. */
static void note_latency(struct result *r, const struct judged *j, int64_t called, uint64_t moment, uint64_t events)
{
	int64_t detected = detected_by_call(j, called);
	if (detected < 0 && detected_at_end(j, r))
		detected = (int64_t)events;
	r->latency = detected >= (int64_t)moment ? detected - (int64_t)moment : detected >= 0 ? 0 : -1;
	r->latency_us = latency_in_us(r, j->order, moment, events);
}

/* ---- what came of it ---- */

static enum became outcome(const struct result *r, const struct judged *j, bool deadlock)
{
	if (!j->order->made && (j->order->found || !(j->signalled || j->late)))
		return BECAME_NOT_ACTIVATED;            /* not even the place was found: a program that ran wild wrote over what was told of the fault */
	if (r->latency >= 0)
		return BECAME_DETECTED;
	if (j->late)
		return deadlock ? BECAME_DEADLOCK : BECAME_HANG;
	if (j->signalled)
		return BECAME_CRASH;
	if (r->exit != j->golden->exit || !outputs_same(j->config, j->golden->room, j->room))
		return BECAME_SILENT;
	return *r->kind ? BECAME_LATENT : BECAME_MASKED;
}

static void explain(struct result *r, const struct judged *j, size_t fault)
{
	if (r->outcome == BECAME_MASKED || r->outcome == BECAME_NOT_ACTIVATED)
		fate_of(j->golden->fates, j, fault, r->why, sizeof r->why);
}

/* Its threads did what they did in the golden run, but could not take their turns as there. */
static void note_left(struct result *r, const struct judged *j)
{
	snprintf(r->kind, sizeof r->kind, "%s", deviation_words[DEV_LEFT_SCHEDULE]);
	snprintf(r->thread, sizeof r->thread, "%s", j->site->thread);
	r->threads = 1;
}

int judge_full(struct result *r, const struct judged *j, struct err *why)
{
	struct golden_run *g = j->golden;
	struct trace *t;
	struct canon canon;
	struct diff d;
	deviant_list deviants = { 0 };
	uint64_t moment = 0;
	if (run_open(&t, &canon, g, j->room, RUN_FAULTY, why) < 0)
		return -1;
	diff_make(&d, &g->canon, &canon);
	size_t fault = fault_in(j, &canon, &moment);
	find_deviants(&deviants, &d, j, fault);
	note_deviants(r, &g->book, &deviants);
	if (j->left && !*r->kind)
		note_left(r, j);
	note_latency(r, j, j->config->detect_function ? judge_called(&canon, j->config->detect_function) : -1, moment, canon.events);
	r->outcome = outcome(r, j, j->deadlock || d.end == DEV_DEADLOCK);
	vec_release(&deviants);
	diff_release(&d);
	canon_release(&canon);
	trace_close(t);
	explain(r, j, j->fault);
	return 1;
}

int judge_quick(struct result *r, const struct judged *j)
{
	struct golden_run *g = j->golden;
	const struct quick_found *found;
	deviant_list deviants = { 0 };
	size_t fault = j->fault;
	uint32_t count;
	bool waits;
	struct quick_counts counts;
	if (!quick_end(g->quick, &(struct quick_end){ j->late, j->signalled }, &found, &count, &waits))
		return 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct quick_found *f = &found[i];
		bool own = !strcmp(f->path, j->site->thread) && f->lane && fault != SIZE_MAX;
		uint32_t place = f->place ? book_place(&g->book, f->place, f->name)
			: f->lane && f->entry < f->lane->count ? canon_at(f->lane, f->entry)->place : UINT32_MAX;
		vec_push(&deviants, ((struct deviant){ f->path, f->kind, own, f->cut || (f->kind == DEV_MISSING_THREAD && (j->late || j->signalled)),
			own ? (int64_t)f->entry - (int64_t)fault : -1, place }));
	}
	note_deviants(r, &g->book, &deviants);
	if (config_detects(j->config)) {
		quick_counts(g->quick, &counts);
		note_latency(r, j, counts.called == UINT64_MAX ? -1 : (int64_t)counts.called, counts.fault, counts.events);
	}
	r->outcome = outcome(r, j, waits);
	vec_release(&deviants);
	explain(r, j, fault);
	return 1;
}
