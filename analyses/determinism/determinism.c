/* analyses/determinism/determinism.c -- see determinism.h.  Two walks: synchronisation into order/, then accesses over it. */
#include "analyses/determinism/inside.h"

#include <string.h>

#define UPDATE_TRIES 16u                 /* walks with updates, each banning some; then without any */

static bool is_touch(uint8_t kind)
{
	return (kind >= EV_READ && kind <= EV_COPY && kind != EV_FENCE) || kind == EV_INPUT || kind == EV_OUTPUT ||
		kind == EV_OUTCALL || kind == EV_CHOICE || kind == EV_CALL || kind == EV_EXIT;
}

/* Which store a read returns is not the last one there, which is what order/ reasons with. */
static int refuse_weak(const struct trace *t, struct err *why)
{
	err_set(why, "trace '%s' is of a run under %s: only runs under sc can be asked", trace_path(t),
		trace_fact(t, "model") ? trace_fact(t, "model") : "a weak memory model");
	err_hint(why, "'raddle run --save-trace=...' without '--model' makes one");
	why->code = 3;
	return -1;
}

/* When a thread is there. */
static void walk_thread(struct walk *w, const struct event *ev, struct spot spot)
{
	while (w->alive.count <= spot.thread)
		vec_add(&w->alive);
	struct alive *a = &w->alive.at[spot.thread];
	if (ev->kind == EV_BEGIN && !a->began)
		a->first = spot, a->began = true;
	if (ev->kind == EV_END)
		a->last = spot, a->ended = true;
}

/* `live`: order/ is being built on the way, which is enough while every dependent pair is ordered by the must-order. */
static int walk_accesses(struct walk *w, bool live, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	int got;
	if (merged_open(&m, w->out->trace, why) < 0)
		return -1;
	struct order_walk *walk = live ? NULL : order_walk_begin(w->order);
	w->live = live;
	w->out->events = w->out->accesses = 0;
	while ((got = merged_next_in_place(m, &ev, why)) > 0) {
		struct spot spot = { 0, 0 };
		if (ev->waits || ev->kind == EV_FLUSH) {
			got = refuse_weak(w->out->trace, why);
			break;
		}
		if (live)
			spot = w->commute && ev->kind == EV_RMW && commute_may(w->commute, ev) ? order_note_blind(w->order, ev) : order_note(w->order, ev);
		if (live && (ev->kind == EV_BEGIN || ev->kind == EV_END))
			walk_thread(w, ev, spot);
		w->exits |= ev->kind == EV_EXIT;
		if (ev->kind == EV_CALL || ev->kind == EV_LOCK || ev->kind == EV_SWAIT || ev->kind == EV_JOIN)
			tries_note(w, ev, spot, live);
		w->out->events++;
		if (w->perhaps.count && !w->again)
			walk_after_call(w, ev);
		if (ev->kind == EV_FORK)
			w->forks_at = ev->place, w->forks = ev->thread;
		if (!w->again && (ev->kind == EV_FORK || ev->kind == EV_JOIN))
			addresses_of_stacks(w, ev, live ? spot : order_walk_next(walk, ev));
		bool touch = is_touch(ev->kind), object = event_class((enum event_kind)ev->kind) == CLASS_OBJECT;
		if (w->again || (!touch && !object))
			continue;
		if (!live)
			spot = order_walk_next(walk, ev);
		addresses_note(w, ev, spot);
		if (touch) {
			w->out->accesses += ev->kind != EV_CALL && ev->kind != EV_EXIT;
			walk_look_at(w, ev, spot);
		} else {
			walk_memory(w, ev, spot);
			objects_note(w->objects, ev);
		}
	}
	order_walk_end(walk);
	merged_close(m);
	if (!w->again)
		walk_look_back(w);
	if (live)
		order_seal(w->order);
	return got < 0 ? -1 : 0;
}

static void walk_forget(struct walk *w)
{
	objects_free(w->objects);
	shadow_release(&w->shadow);
	map_release(&w->place_number);
	map_release(&w->object_number);
	map_release(&w->pair_number);
	vec_clear(&w->places);
	vec_clear(&w->calls);
	vec_clear(&w->changes);
	vec_clear(&w->named);
	vec_clear(&w->spoke);
	vec_clear(&w->stays);
	vec_clear(&w->perhaps);
	vec_clear(&w->updater);
	vec_clear(&w->object_names);
	vec_clear(&w->heap);
	vec_clear(&w->stacks);
	w->heap_used = false;
	w->stacks_kind = 0;
	w->shows_address = w->shows_stack = w->forks_at = NULL;
	memset(w->recent, 0, sizeof w->recent);
	memset(w->met, 0, sizeof w->met);
	w->variable = (struct variable){ 0 };
}

/* From its beginning, what was found before forgotten. */
static int walk_again(struct walk *w, bool live, struct err *why)
{
	walk_forget(w);
	vec_clear(&w->pairs);
	vec_clear(&w->reasons);
	w->objects = objects_new(w->out->trace);
	w->again = false;
	return walk_accesses(w, live, why);
}

/* Both walks, and what is no memory. */
static int walk_through(struct walk *w, struct commute *commute, struct err *why)
{
	w->order = w->out->order = order_new(w->out->trace);
	w->commute = commute;
	if (commute)
		commute_begin(commute);
	vec_clear(&w->alive);
	int got = walk_again(w, true, why);
	while (got == 0 && w->again) {                  /* more than once only where something was learned that holds for all of it */
		if (commute)
			commute_begin(commute);
		got = walk_again(w, false, why);
	}
	if (got == 0)
		walk_ask_choices(w);
	return got;
}

/* Is a pair that can change places one of accesses that may be updates? */
static bool may_commute(const struct walk *w)
{
	for (size_t i = 0; i < w->pairs.count; i++) {
		const struct pair *p = &w->pairs.at[i];
		uint8_t a = p->first.kind, b = p->second.kind;
		if (p->answer != ORDER_NO && (a == EV_READ || a == EV_WRITE || a == EV_RMW) && (b == EV_READ || b == EV_WRITE || b == EV_RMW))
			return true;
	}
	return false;
}

/* All of it once more, with what the code says of updates; and again for each of them that the run shows to be none. */
static int walk_with_updates(struct walk *w, const struct determinism_updates *updates, struct err *why)
{
	struct commute *commute = may_commute(w) ? updates->open(updates->with) : NULL;
	int got = 0;
	for (unsigned tries = 0; commute && got == 0; tries++) {
		order_free(w->order);
		got = walk_through(w, tries < UPDATE_TRIES ? commute : NULL, why);
		if (tries >= UPDATE_TRIES || commute_is_sound(commute))
			break;
	}
	return got;
}

int determinism_run(struct determinism *d, struct trace *t, const struct determinism_updates *updates, struct err *why)
{
	*d = (struct determinism){ 0 };
	if (trace_fact(t, "model"))
		return refuse_weak(t, why);
	struct walk *w = mem_take(sizeof *w);
	d->trace = t;
	w->out = d;
	tries_look_for(w);
	walk_find_variables(w);
	int got = walk_through(w, NULL, why);
	if (got == 0 && updates)
		got = walk_with_updates(w, updates, why);
	if (got == 0) {
		walk_conclude(w);
	} else {                                        /* of a trace that cannot be read there is nothing to say */
		vec_release(&w->pairs);
		vec_release(&w->reasons);
	}
	walk_forget(w);
	vec_release(&w->places);
	vec_release(&w->calls);
	vec_release(&w->changes);
	vec_release(&w->alive);
	vec_release(&w->named);
	vec_release(&w->spoke);
	vec_release(&w->stays);
	vec_release(&w->perhaps);
	uncovered_free(w->uncovered);
	vec_release(&w->updater);
	vec_release(&w->tries);
	vec_release(&w->heap);
	vec_release(&w->stacks);
	vec_release(&w->object_names);
	mem_free(w);
	return got;
}

void determinism_doubt(struct determinism *d, const char *text)
{
	d->reasons = mem_resize(d->reasons, (d->reason_count + 1) * sizeof *d->reasons);
	d->reasons[d->reason_count++] = (struct reason){ arena_text(&d->names, text, strlen(text)), NULL, 1 };
	if (d->verdict == VERDICT_DETERMINISTIC)
		d->verdict = VERDICT_UNKNOWN;
}

void determinism_release(struct determinism *d)
{
	order_free(d->order);
	mem_free(d->pairs);
	vec_release(&d->closed);
	mem_free(d->reasons);
	arena_release(&d->names);
	*d = (struct determinism){ 0 };
}
