/* analyses/predict/waits.c -- aims about waiting: circles of threads, and signals that come before their wait.
 *
 * A *request* is an event at which a thread may have to wait while it holds something: a lock, a join, a semaphore, a condition, a barrier.
 * A circle of requests of different threads, each of which waits for what the next one has (circles.h), is an aim: can they all stand there
 * at once?  A semaphore one thread takes and posts itself counts as held in between.  Who waits up to a time stands there too, until that is over: what the program makes of it a run
 * shows, but such a circle is no deadlock. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/predict/aims.h"
#include "analyses/predict/circles.h"
#include "analyses/predict/reading.h"
#include "trace/objects.h"
#include "wire/line.h"

#define REQUESTS_MOST 200000u
#define ALIKE_MOST    2u                /* requests of one thread from one place with the same locks */
#define PAIRS_MOST    20000000u         /* of waits and signals */
#define ASK_EVERY     65536u            /* pairs, whether to go on */

struct held_now { VEC(struct hold) all; bool timed; };          /* timed: its wait for a condition ends by itself */
struct signalled { struct moment at; uint64_t object; };
struct tried { struct moment at; uint64_t object; bool shared; };

struct search {
	struct aims *out;
	struct recording *r;
	struct objects *objects;
	struct held_now *held;          /* by thread */
	struct map alike, gives;        /* gives: (object, thread) -> number of a giver + 1 */
	VEC(struct request) requests;
	VEC(struct giver) givers;
	VEC(struct signalled) waits, signals;
	VEC(struct tried) tries, backs; /* locks and semaphores that were tried for and had; given back, or given */
	struct map pairs;               /* of signals and waits alike: how often */
	struct arena memory;            /* what requests hold */
};

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b << 1) * 0x9e3779b97f4a7c15ull + b;
	return h ^ h >> 29;
}

static struct moment moment_of(const struct search *s, const struct event *ev, struct spot spot)
{
	return (struct moment){ .spot = spot, .index = ev->index, .nth = recording_nth(s->r, spot.thread, ev->index), .time = ev->time, .address = ev->object,
		.kind = ev->kind, .writes = true, .place = ev->place };
}

/* ---- reading ---- */

static void hold_add(struct search *s, uint32_t thread, uint64_t object, bool shared)
{
	vec_push(&s->held[thread].all, ((struct hold){ object, shared }));
}

static void hold_drop(struct search *s, uint32_t thread, uint64_t object)
{
	struct held_now *h = &s->held[thread];
	for (size_t i = h->all.count; i-- > 0;)
		if (h->all.at[i].object == object) {
			memmove(&h->all.at[i], &h->all.at[i + 1], (h->all.count - i - 1) * sizeof *h->all.at);
			h->all.count--;
			return;
		}
}

static bool holds(const struct search *s, uint32_t thread, uint64_t object)
{
	for (size_t i = 0; i < s->held[thread].all.count; i++)
		if (s->held[thread].all.at[i].object == object)
			return true;
	return false;
}

static void request_add(struct search *s, const struct event *ev, struct spot spot, bool shared)
{
	const struct held_now *h = &s->held[spot.thread];
	if (event_never_waits(ev))
		return;
	if (ev->kind == EV_LOCK && !screen_hot(&s->r->screen, ev->object))
		return;                                 /* no circle goes through it */
	uint64_t key = mix(mix(spot.thread, ev->object), (uint64_t)(uintptr_t)ev->place);
	for (size_t i = 0; i < h->all.count; i++)
		key = mix(key, h->all.at[i].object);
	if ((*map_put(&s->alike, key, NULL))++ >= ALIKE_MOST)
		return;
	if (s->requests.count >= REQUESTS_MOST) {
		s->out->unlooked = "there are too many requests of locks to look at all of them";
		return;
	}
	struct hold *held = arena_take(&s->memory, (h->all.count + 1) * sizeof *held);
	struct request *q = vec_add(&s->requests);
	*q = (struct request){ .at = moment_of(s, ev, spot), .object = ev->object, .shared = shared, .writers_first = event_writers_first(ev), .held = held };
	q->at.queues = q->writers_first && !shared;
	q->at.timed = event_timed(ev) || (ev->kind == EV_CWAKE && h->timed);
	for (size_t i = 0; i < h->all.count; i++)
		if (!(ev->kind == EV_CWAKE && h->all.at[i].object == ev->arg))          /* a wait gives up its own lock */
			held[q->held_count++] = h->all.at[i];
}

static void hand_over(struct search *s, bool back, const struct event *ev, struct spot spot, bool shared)
{
	uint64_t key = mix(mix(mix(spot.thread, ev->object), (uint64_t)(uintptr_t)ev->place), 2 + back);
	if (!s->r->screen.tries || (*map_put(&s->alike, key, NULL))++ >= ALIKE_MOST)
		return;
	struct tried t = { moment_of(s, ev, spot), ev->object, shared };
	if (back)
		vec_push(&s->backs, t);
	else
		vec_push(&s->tries, t);
}

static bool holds_shared(const struct search *s, uint32_t thread, uint64_t object)
{
	for (size_t i = s->held[thread].all.count; i-- > 0;)
		if (s->held[thread].all.at[i].object == object)
			return s->held[thread].all.at[i].shared;
	return false;
}

static void gives(struct search *s, const struct event *ev, uint32_t thread)
{
	uint64_t *slot = map_put(&s->gives, mix(ev->object, thread), NULL);
	if (!*slot) {
		*vec_add(&s->givers) = (struct giver){ .object = ev->object, .thread = thread };
		*slot = s->givers.count;
	}
	s->givers.at[*slot - 1].last = ev->index + 1;
}

/* One who reads from a pipe waits for whoever writes there. */
static void through_line(struct search *s, const struct event *ev, struct spot spot)
{
	struct event as = *ev;
	as.object = line_whole(ev->object);
	if (ev->kind == EV_ACQUIRE)
		request_add(s, &as, spot, false);
	else
		gives(s, &as, spot.thread);
}

static void look_at(struct search *s, const struct event *ev, struct spot spot)
{
	uint32_t thread = spot.thread;
	bool shared = (ev->arg & LOCK_FOR_READING) && (ev->arg >> 8) == LOCK_RWLOCK;
	switch (ev->kind) {
	case EV_LOCK:
		if (!event_has_lock(ev))
			break;
		if (ev->arg & LOCK_TRIED)
			hand_over(s, false, ev, spot, shared);
		if (!holds(s, thread, ev->object) || (shared && event_writers_first(ev)))
			request_add(s, ev, spot, shared);
		hold_add(s, thread, ev->object, shared);
		break;
	case EV_UNLOCK:
		if (ev->result)
			break;
		hand_over(s, true, ev, spot, holds_shared(s, thread, ev->object));
		hold_drop(s, thread, ev->object);
		break;
	case EV_SWAIT:
		if (!ev->result && (ev->arg & LOCK_TRIED))
			hand_over(s, false, ev, spot, false);
		request_add(s, ev, spot, false);
		if (!ev->result && !line_is(ev->object) && !holds(s, thread, ev->object))
			hold_add(s, thread, ev->object, false);
		break;
	case EV_ACQUIRE: case EV_RELEASE:
		if (line_is(ev->object))
			through_line(s, ev, spot);
		break;
	case EV_SPOST:
		hand_over(s, true, ev, spot, false);
		gives(s, ev, thread);
		hold_drop(s, thread, ev->object);
		break;
	case EV_CWAIT:
		*vec_add(&s->waits) = (struct signalled){ moment_of(s, ev, spot), ev->object };
		s->held[thread].timed = ev->result == ETIMEDOUT;
		break;
	case EV_CWAKE: case EV_BLEAVE: case EV_JOIN:
		request_add(s, ev, spot, false);
		break;
	case EV_CSIGNAL: case EV_CBROADCAST:
		*vec_add(&s->signals) = (struct signalled){ moment_of(s, ev, spot), ev->object };
		gives(s, ev, thread);
		break;
	case EV_BENTER:
		gives(s, ev, thread);
		break;
	}
}

static int read_all(struct search *s, struct err *why)
{
	struct reading g;
	const struct event *ev;
	int got = reading_open(&g, s->r, s->r->events, s->objects, why);
	struct order_walk *walk = order_walk_begin(s->r->order);
	while (got >= 0 && (got = reading_next(&g, &ev, why)) > 0) {
		objects_note(s->objects, ev);
		if (!event_is_access(ev))
			look_at(s, ev, order_walk_next(walk, ev));
	}
	order_walk_end(walk);
	reading_close(&g);
	return got < 0 ? -1 : 0;
}

/* ---- circles ---- */

/* Of what is waited for, kept with the aims. */
static const char *name_of(struct search *s, const struct request *q)
{
	char text[256];
	const char *name = q->at.kind != EV_JOIN ? objects_name(s->objects, q->object, text, sizeof text)
		: q->object < trace_thread_count(s->r->trace) ? recording_path(s->r, (uint32_t)q->object) : "a thread";
	return names_text(&s->out->objects, names_put(&s->out->objects, name, strlen(name)));
}

static bool holds_object(const struct request *q, uint64_t object)
{
	for (uint32_t i = 0; i < q->held_count; i++)
		if (q->held[i].object == object)
			return true;
	return false;
}

static bool circle_found(void *with, const uint32_t *path, uint32_t count)
{
	struct search *s = with;
	const char *least = NULL;
	struct aim aim = { .kind = AIM_WAITS, .count = count };
	for (uint32_t i = 0; i < count; i++) {
		const struct request *q = &s->requests.at[path[i]], *before = &s->requests.at[path[(i + count - 1) % count]];
		aim.at[i] = q->at;
		aim.at[i].waits_for = name_of(s, q);
		aim.at[i].holds = holds_object(q, before->object) ? name_of(s, before) : NULL;
		const char *is = q->at.kind == EV_JOIN ? "a thread" : aim.at[i].waits_for;
		if (!least || strcmp(is, least) < 0)
			least = is;
	}
	return aims_add(s->out, &aim, least);
}

static bool goes_on(void *with)
{
	const struct search *s = with;
	return recording_goes_on(s->r, s->r->events);
}

static void circles(struct search *s)
{
	struct circles c = { .requests = s->requests.at, .count = (uint32_t)s->requests.count, .threads = trace_thread_count(s->r->trace),
		.givers = s->givers.at, .giver_count = (uint32_t)s->givers.count, .found = circle_found, .goes_on = goes_on, .with = s };
	const char *why = circles_find(&c);
	s->out->unlooked = why ? why : s->out->unlooked;
}

/* ---- signals ---- */

static int by_object(const void *a, const void *b)
{
	const struct signalled *x = a, *y = b;
	return x->object != y->object ? x->object < y->object ? -1 : 1 : (x->at.time > y->at.time) - (x->at.time < y->at.time);
}

/* A signal that came when its waiter waited could have come before.  Of pairs from the same places the 1st, 2nd, 4th, ... are aims. */
static void lost_signal(struct search *s, const struct signalled *w, const struct signalled *g)
{
	char name[256];
	if (w->at.spot.thread == g->at.spot.thread || order_before(s->r->order, g->at.spot, w->at.spot))
		return;
	uint64_t places = mix((uint64_t)(uintptr_t)w->at.place, (uint64_t)(uintptr_t)g->at.place);
	uint64_t times = ++*map_put(&s->pairs, mix(mix(places, (uint64_t)w->at.spot.thread << 32 | g->at.spot.thread), w->object), NULL);
	struct aim aim = { .kind = AIM_TURN, .count = 2, .at = { w->at, g->at } };
	if ((times & (times - 1)) == 0)
		aims_add(s->out, &aim, objects_name(s->objects, w->object, name, sizeof name));
}

static void lost_signals(struct search *s)
{
	size_t from = 0;
	uint64_t pairs = 0;
	if (!s->waits.count || !s->signals.count)
		return;
	qsort(s->waits.at, s->waits.count, sizeof *s->waits.at, by_object);
	qsort(s->signals.at, s->signals.count, sizeof *s->signals.at, by_object);
	for (size_t i = 0; i < s->waits.count; i++) {
		uint64_t object = s->waits.at[i].object;
		while (from < s->signals.count && s->signals.at[from].object < object)
			from++;
		for (size_t k = from; k < s->signals.count && s->signals.at[k].object == object; k++) {
			if (pairs++ % ASK_EVERY == 0 && !goes_on(s))
				return;
			if (pairs > PAIRS_MOST) {
				s->out->unlooked = "there are too many waits for signals to look at all of them";
				return;
			}
			lost_signal(s, &s->waits.at[i], &s->signals.at[k]);
		}
	}
}

/* Who comes first where the answer depends on it: a trylock that failed, who runs a once routine. */
static void choices(struct search *s)
{
	struct order_choice c;
	char name[256];
	for (uint32_t i = 0; order_choice(s->r->order, i, &c); i++) {
		if (c.first.thread == c.second.thread || order_before(s->r->order, c.first, c.second))
			continue;
		struct aim aim = { .kind = AIM_TURN, .count = 2 };
		struct spot spots[2] = { c.first, c.second };
		for (int k = 0; k < 2; k++) {
			struct order_node n = order_node_at(s->r->order, spots[k]);
			aim.at[k] = (struct moment){ .spot = spots[k], .index = n.index, .nth = recording_nth(s->r, n.thread, n.index), .address = n.object,
				.kind = n.kind, .writes = true, .place = n.place };
		}
		aims_add(s->out, &aim, objects_name(s->objects, c.object, name, sizeof name));
	}
}

/* What was tried for, and had, while another one has it, or before another one gave it: will it do without? */
static void denials(struct search *s)
{
	char name[256];
	for (size_t i = 0; i < s->tries.count; i++)
		for (size_t k = 0; k < s->backs.count; k++) {
			const struct tried *t = &s->tries.at[i], *b = &s->backs.at[k];
			if (t->object != b->object || t->at.spot.thread == b->at.spot.thread || (t->shared && b->shared) ||
				order_before(s->r->order, b->at.spot, t->at.spot) || order_before(s->r->order, t->at.spot, b->at.spot))
				continue;
			struct aim aim = { .kind = AIM_TURN, .denied = true, .count = 2, .at = { b->at, t->at } };
			aims_add(s->out, &aim, objects_name(s->objects, t->object, name, sizeof name));
		}
}

int aims_waits(struct aims *a, struct recording *r, struct err *why)
{
	struct search s = { .out = a, .r = r, .objects = objects_new(r->trace) };
	uint32_t threads = trace_thread_count(r->trace);
	s.held = mem_take((threads + 1) * sizeof *s.held);
	int got = screen_any_wait(&r->screen) ? read_all(&s, why) : 0;
	if (got == 0) {
		circles(&s);
		lost_signals(&s);
		choices(&s);
		denials(&s);
	}
	objects_free(s.objects);
	for (uint32_t t = 0; t < threads; t++)
		vec_release(&s.held[t].all);
	mem_free(s.held);
	map_release(&s.alike);
	map_release(&s.gives);
	map_release(&s.pairs);
	arena_release(&s.memory);
	vec_release(&s.givers);
	vec_release(&s.requests);
	vec_release(&s.waits);
	vec_release(&s.signals);
	vec_release(&s.tries);
	vec_release(&s.backs);
	return got;
}
