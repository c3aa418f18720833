/* analyses/predict/waits.c -- aims about waiting: circles of threads, and signals that come before their wait.
 *
 * A *request* is an event at which a thread may have to wait while it holds something: a lock, a join, a semaphore, a condition, a barrier.
 * Request x leads to request y of another thread when y's thread has what x waits for: it holds the lock; it is the thread
 * joined; it posts, signals or arrives later.  A circle of requests of different threads in which no two hold the same lock (a
 * gate) is an aim: can they all stand there at once?  A semaphore one thread takes and posts itself counts as held in between. */
#include <stdlib.h>
#include <string.h>

#include "analyses/predict/aims.h"
#include "trace/objects.h"

#define HELD_MOST     32u
#define REQUESTS_MOST 2000u
#define ALIKE_MOST    2u                /* requests of one thread from one place with the same locks */
#define STEPS_MOST    400000u           /* of the search for circles */
#define CIRCLES_MOST  256u
#define ASK_EVERY     65536u            /* events, whether to go on */

struct hold { uint64_t object; bool shared; };
struct request {
	struct moment at;
	uint64_t object;                /* waited for; of a join the other thread */
	bool shared;
	uint32_t held_count;
	struct hold held[HELD_MOST];
};
struct held_now { VEC(struct hold) all; };
struct signalled { struct moment at; uint64_t object; };

struct search {
	struct aims *out;
	struct recording *r;
	struct objects *objects;
	struct held_now *held;          /* by thread */
	struct map alike, gives;        /* gives: (object, thread) -> index + 1 of its last post, signal, arrival */
	VEC(struct request) requests;
	VEC(struct signalled) waits, signals;
	uint32_t *path;
	uint64_t steps, circles;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b << 1) * 0x9e3779b97f4a7c15ull + b;
	return h ^ h >> 29;
}

static struct moment moment_of(const struct search *s, const struct event *ev, struct spot spot)
{
	return (struct moment){ spot, ev->index, recording_nth(s->r, spot.thread, ev->index), ev->time, ev->object, ev->kind, 0, true, false, ev->place };
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
	if (ev->kind == EV_LOCK && !screen_hot(&s->r->screen, ev->object))
		return;                                 /* no circle goes through it */
	uint64_t key = mix(mix(spot.thread, ev->object), (uint64_t)(uintptr_t)ev->place);
	if (h->all.count > HELD_MOST || s->requests.count >= REQUESTS_MOST)
		return;
	for (size_t i = 0; i < h->all.count; i++)
		key = mix(key, h->all.at[i].object);
	if ((*map_put(&s->alike, key, NULL))++ >= ALIKE_MOST)
		return;
	struct request *q = vec_add(&s->requests);
	*q = (struct request){ .at = moment_of(s, ev, spot), .object = ev->object, .shared = shared };
	for (size_t i = 0; i < h->all.count; i++)
		if (!(ev->kind == EV_CWAKE && h->all.at[i].object == ev->arg))          /* a wait gives up its own lock */
			q->held[q->held_count++] = h->all.at[i];
}

static void gives(struct search *s, const struct event *ev, uint32_t thread)
{
	*map_put(&s->gives, mix(ev->object, thread), NULL) = ev->index + 1;
}

static void look_at(struct search *s, const struct event *ev, struct spot spot)
{
	uint32_t thread = spot.thread;
	bool shared = (ev->arg & 0xff) == LOCK_FOR_READING && (ev->arg >> 8) == LOCK_RWLOCK;
	switch (ev->kind) {
	case EV_LOCK:
		if (ev->result)
			break;
		if (!holds(s, thread, ev->object))
			request_add(s, ev, spot, shared);
		hold_add(s, thread, ev->object, shared);
		break;
	case EV_UNLOCK:
		if (!ev->result)
			hold_drop(s, thread, ev->object);
		break;
	case EV_SWAIT:
		request_add(s, ev, spot, false);
		if (!ev->result && !holds(s, thread, ev->object))
			hold_add(s, thread, ev->object, false);
		break;
	case EV_SPOST:
		gives(s, ev, thread);
		hold_drop(s, thread, ev->object);
		break;
	case EV_CWAIT:
		*vec_add(&s->waits) = (struct signalled){ moment_of(s, ev, spot), ev->object };
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
	struct merged *m;
	const struct event *ev;
	uint64_t read = 0;
	int got = 0;
	if (merged_open(&m, s->r->trace, why) < 0)
		return -1;
	struct order_walk *walk = order_walk_begin(s->r->order);
	while (read < s->r->events && (got = merged_next_in_place(m, &ev, why)) > 0) {
		if (++read % ASK_EVERY == 0 && !recording_goes_on(s->r, read))
			break;
		objects_note(s->objects, ev);
		if (!event_is_access(ev))
			look_at(s, ev, order_walk_next(walk, ev));
	}
	order_walk_end(walk);
	merged_close(m);
	return got < 0 ? -1 : 0;
}

/* ---- circles ---- */

static bool leads_to(const struct search *s, const struct request *x, const struct request *y)
{
	if (x->at.kind == EV_JOIN)
		return x->object == y->at.spot.thread;
	for (uint32_t i = 0; i < y->held_count; i++)
		if (y->held[i].object == x->object && !(y->held[i].shared && x->shared))
			return true;
	if (x->at.kind == EV_LOCK)
		return false;
	const uint64_t *last = map_get(&s->gives, mix(x->object, y->at.spot.thread));
	return last && *last > y->at.index;
}

static bool gated(const struct request *x, const struct request *y)
{
	for (uint32_t i = 0; i < x->held_count; i++)
		for (uint32_t k = 0; k < y->held_count; k++)
			if (x->held[i].object == y->held[k].object && !(x->held[i].shared && y->held[k].shared))
				return true;
	return false;
}

static const char *name_of(const struct search *s, const struct request *q, char *into, size_t room)
{
	return q->at.kind == EV_JOIN ? "a thread" : objects_name(s->objects, q->object, into, room);
}

static void circle_found(struct search *s, uint32_t count)
{
	char name[256], least[256] = "";
	struct aim aim = { .kind = AIM_WAITS, .count = count };
	for (uint32_t i = 0; i < count; i++) {
		const struct request *q = &s->requests.at[s->path[i]];
		aim.at[i] = q->at;
		const char *is = name_of(s, q, name, sizeof name);
		if (!*least || strcmp(is, least) < 0)
			snprintf(least, sizeof least, "%s", is);
	}
	s->circles += aims_add(s->out, &aim, least);
}

/* Circles through path[0], which is the lowest request of each. */
static void extend(struct search *s, uint32_t count)
{
	const struct request *last = &s->requests.at[s->path[count - 1]];
	for (uint32_t i = s->path[0]; i < s->requests.count && s->circles < CIRCLES_MOST && s->steps++ < STEPS_MOST; i++) {
		const struct request *next = &s->requests.at[i];
		if (!leads_to(s, last, next))
			continue;
		if (i == s->path[0]) {
			if (count > 1)
				circle_found(s, count);
			continue;
		}
		bool fits = count < AIM_MOMENTS;
		for (uint32_t k = 0; k < count && fits; k++) {
			const struct request *other = &s->requests.at[s->path[k]];
			fits = other->at.spot.thread != next->at.spot.thread && !gated(other, next);
		}
		if (!fits)
			continue;
		s->path[count] = i;
		extend(s, count + 1);
	}
}

/* ---- signals ---- */

/* A signal that came when its waiter waited could have come before. */
static void lost_signals(struct search *s)
{
	char name[256];
	for (size_t i = 0; i < s->waits.count; i++)
		for (size_t k = 0; k < s->signals.count && s->steps++ < STEPS_MOST; k++) {
			const struct signalled *w = &s->waits.at[i], *g = &s->signals.at[k];
			if (w->object != g->object || w->at.spot.thread == g->at.spot.thread || order_before(s->r->order, g->at.spot, w->at.spot))
				continue;
			struct aim aim = { .kind = AIM_TURN, .count = 2, .at = { w->at, g->at } };
			aims_add(s->out, &aim, objects_name(s->objects, w->object, name, sizeof name));
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
			aim.at[k] = (struct moment){ spots[k], n.index, recording_nth(s->r, n.thread, n.index), 0, n.object, n.kind, 0, true, false, n.place };
		}
		aims_add(s->out, &aim, objects_name(s->objects, c.object, name, sizeof name));
	}
}

int aims_waits(struct aims *a, struct recording *r, struct err *why)
{
	struct search s = { .out = a, .r = r, .objects = objects_new(r->trace) };
	uint32_t threads = trace_thread_count(r->trace), path[AIM_MOMENTS + 1];
	s.held = mem_take((threads + 1) * sizeof *s.held);
	s.path = path;
	int got = screen_any_wait(&r->screen) ? read_all(&s, why) : 0;
	for (uint32_t i = 0; got == 0 && i < s.requests.count; i++) {
		path[0] = i;
		extend(&s, 1);
	}
	if (got == 0) {
		s.steps = 0;
		lost_signals(&s);
		choices(&s);
	}
	objects_free(s.objects);
	for (uint32_t t = 0; t < threads; t++)
		vec_release(&s.held[t].all);
	mem_free(s.held);
	map_release(&s.alike);
	map_release(&s.gives);
	vec_release(&s.requests);
	vec_release(&s.waits);
	vec_release(&s.signals);
	return got;
}
