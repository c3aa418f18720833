/* analyses/predict/handled.c -- aims about signal handlers: a handler that ran somewhere could have run in the middle of what a thread does to the same memory.
 *
 * Two walks over a recording in which a handler ran.  The first finds out what each handler touched, outside of stacks, and which event of another thread sent
 * its signal.  The second goes through what threads did themselves: between two of a thread's accesses in a row to what the handler
 * touched, one of each two writing, the handler would see, or leave, something else; so it would in front of the first one.
 * A wait for a semaphore that a handler of its thread interrupts ends without it (EINTR): so the handler is moved in front of such waits, too.
 * A signal is taken where a thread comes to next when it is sent (rt/pending.c): so the aim is to send it when the thread stands there, and to let that thread go on.
 * If it is blocked there, is for another thread, or in any other way cannot come, the run shows it.
 * Not looked at: signals a thread sends itself, those from outside and of timers; a handler that interrupted another. */
#include <stdlib.h>

#include "analyses/predict/aims.h"
#include "analyses/predict/reading.h"
#include "trace/objects.h"

#define HANDLED_MOST  64u                       /* runs of handlers that are looked at */
#define LATE_MOST     16u                       /* threads that had ended when a signal was sent */
#define TOUCHED_MOST  4096u                     /* 8 bytes each, of one */

struct foot { uint64_t cell; uint8_t reads, writes; struct moment read, write; };       /* bytes of it; the first that did */
struct handled {
	uint32_t thread;
	bool left;                              /* by returning */
	struct handler_skip points;
	struct moment sent, entered;
	uint64_t time;                          /* of enter */
	struct map cells;                       /* address / 8 -> 1 + number in feet */
	VEC(struct foot) feet;
	struct moment *last;                    /* by thread: its access there, nth 0: none so far */
};

struct sent { uint64_t number; struct moment at; bool taken; };

struct walk {
	struct aims *out;
	struct recording *r;
	struct objects *objects;
	struct order_walk *spots;
	VEC(struct sent) sent;
	VEC(struct handled) all;
	VEC(struct moment) ended;               /* threads */
	uint32_t *inside;                       /* by thread: 1 + number of the one it is in, 0 none */
};

static struct moment moment_of(const struct walk *w, const struct event *ev, struct spot spot, bool writes)
{
	return (struct moment){ .spot = spot, .index = ev->index, .nth = recording_nth(w->r, ev->thread.i, ev->index), .time = ev->time, .address = ev->object,
		.kind = ev->kind, .size = ev->size, .writes = writes, .atomic = ev->kind >= EV_ALOAD && ev->kind <= EV_CAS, .place = ev->place };
}

/* ---- what handlers do ---- */

/* Of the signals of this number others sent and nobody took yet the last. */
static struct sent *sent_for(struct walk *w, uint64_t number, uint32_t thread)
{
	for (size_t i = w->sent.count; i-- > 0;)
		if (w->sent.at[i].number == number && !w->sent.at[i].taken)
			return w->sent.at[i].at.spot.thread == thread ? NULL : &w->sent.at[i];
	return NULL;
}

static void enters(struct walk *w, const struct event *ev)
{
	struct sent *sent = sent_for(w, ev->object, ev->thread.i);
	w->inside[ev->thread.i] = 0;
	if (sent)
		sent->taken = true;
	if (!sent || ev->nest != 1 || w->all.count >= HANDLED_MOST || !sent->at.nth || !ev->index)
		return;
	struct handled *h = vec_add(&w->all);
	h->thread = ev->thread.i;
	h->time = ev->time;
	h->last = mem_take((trace_thread_count(w->r->trace) + 1) * sizeof *h->last);
	h->points.thread = h->thread;
	h->points.from = recording_nth(w->r, h->thread, ev->index - 1);
	h->sent = sent->at;
	h->entered = moment_of(w, ev, order_walk_next(w->spots, ev), false);
	w->inside[h->thread] = (uint32_t)w->all.count;
}

static void leaves(struct walk *w, const struct event *ev)
{
	uint32_t number = w->inside[ev->thread.i];
	w->inside[ev->thread.i] = 0;
	if (!number || ev->arg)                         /* by a jump */
		return;
	struct handled *h = &w->all.at[number - 1];
	h->left = true;
	h->points.count = recording_nth(w->r, h->thread, ev->index) - h->points.from;
}

static uint8_t mask_of(uint64_t at, uint64_t next)
{
	return (uint8_t)((0xffu >> (8 - (next - at))) << (at & 7));
}

static void handler_touches(struct walk *w, struct handled *h, const struct event *ev, uint64_t at, uint64_t next, bool writes)
{
	const struct object *in = objects_at(w->objects, at);
	if (h->feet.count >= TOUCHED_MOST || (in && in->kind == OBJECT_STACK))
		return;
	uint64_t *slot = map_put(&h->cells, at / 8, NULL);
	if (!*slot) {
		vec_add(&h->feet)->cell = at / 8;
		*slot = h->feet.count;
	}
	struct foot *f = &h->feet.at[*slot - 1];
	struct moment m = moment_of(w, ev, order_walk_next(w->spots, ev), writes);
	m.address = at;
	if (!(writes ? f->writes : f->reads))
		*(writes ? &f->write : &f->read) = m;
	*(writes ? &f->writes : &f->reads) |= mask_of(at, next);
}

/* ---- what their threads do ---- */

/* Which access of the handler stands against one of a thread; NULL: none. */
static const struct moment *against(const struct handled *h, uint64_t at, uint64_t next, bool writes)
{
	const uint64_t *slot = map_get(&h->cells, at / 8);
	const struct foot *f = slot ? &h->feet.at[*slot - 1] : NULL;
	if (f && f->writes & mask_of(at, next))
		return &f->write;
	return f && writes && f->reads & mask_of(at, next) ? &f->read : NULL;
}

static void add(struct walk *w, const struct handled *h, const struct moment *other, const struct moment *now)
{
	char text[256];
	const struct moment *last = &h->last[now->spot.thread];
	struct aim aim = { .kind = AIM_HANDLED, .count = last->nth ? 3 : 2, .skip = h->points };
	bool before = h->time < now->time, own = now->spot.thread == h->thread;      /* before: it was over by then, and is not to be */
	if ((before && !h->left) || (own && before && (!last->nth || last->time < h->time)))
		return;                                 /* that is where it ran */
	if (!before)
		aim.skip.count = 0;
	struct moment in_handler = *other;
	in_handler.spot.thread = now->spot.thread;       /* it would be there */
	aim.at[0] = last->nth ? *last : in_handler;
	aim.at[1] = last->nth ? in_handler : *now;
	aim.at[2] = *now;
	aim.at[HANDLED_SENT] = h->sent;
	const char *object = objects_name(w->objects, other->address, text, sizeof text);
	aims_add(w->out, &aim, object);
	aim.behind = 1;
	if (last->nth)
		aims_add(w->out, &aim, object);
}

static void thread_touches(struct walk *w, const struct event *ev, uint64_t at, uint64_t next, bool writes)
{
	for (size_t i = 0; i < w->all.count; i++) {
		struct handled *h = &w->all.at[i];
		const struct moment *other = h->sent.spot.thread != ev->thread.i ? against(h, at, next, writes) : NULL;
		if (!other)
			continue;
		struct moment now = moment_of(w, ev, order_walk_next(w->spots, ev), writes);
		now.address = at;
		if (!now.nth)
			continue;
		add(w, h, other, &now);
		h->last[ev->thread.i] = now;
	}
}

/* Whether the post that ended it had come by then, and whether the handler lets the call begin again, the run shows. */
static void thread_waits(struct walk *w, const struct event *ev)
{
	char text[256];
	struct moment now = moment_of(w, ev, order_walk_next(w->spots, ev), false);
	for (size_t i = 0; i < w->all.count && now.nth; i++) {
		const struct handled *h = &w->all.at[i];
		bool before = h->time < now.time;
		if (h->thread != ev->thread.i || (before && !h->left))
			continue;
		struct aim aim = { .kind = AIM_HANDLED, .count = 2, .at = { h->entered, now, now }, .skip = h->points };
		if (!before)
			aim.skip.count = 0;
		aim.at[HANDLED_SENT] = h->sent;
		aims_add(w->out, &aim, objects_name(w->objects, ev->object, text, sizeof text));
	}
}

/* ---- the walks ---- */

static void touches(struct walk *w, const struct event *ev, bool first)
{
	struct touched ranges[2];
	uint32_t count = event_touches(ev, w->objects, ranges), inside = first ? w->inside[ev->thread.i] : 0;
	for (uint32_t i = 0; i < count && (first ? inside : !ev->nest); i++)
		for (uint64_t at = ranges[i].start, end = at + ranges[i].bytes; at < end && at - ranges[i].start < SCREEN_RANGE;) {
			uint64_t next = (at & ~7ull) + 8 < end ? (at & ~7ull) + 8 : end;
			if (first)
				handler_touches(w, &w->all.at[inside - 1], ev, at, next, ranges[i].writes);
			else
				thread_touches(w, ev, at, next, ranges[i].writes);
			at = next;
		}
}

static void note(struct walk *w, const struct event *ev, bool first)
{
	if (first && ev->kind == EV_SIGSEND && !ev->result)
		*vec_add(&w->sent) = (struct sent){ ev->arg, moment_of(w, ev, order_walk_next(w->spots, ev), false), false };
	if (first && ev->kind == EV_END)
		*vec_add(&w->ended) = moment_of(w, ev, order_walk_next(w->spots, ev), true);
	if (first && ev->kind == EV_SIGENTER)
		enters(w, ev);
	if (first && ev->kind == EV_SIGLEAVE && ev->nest == 1)
		leaves(w, ev);
	if (first ? w->inside[ev->thread.i] : !ev->nest)
		touches(w, ev, first);
	if (!first && ev->kind == EV_SWAIT && !ev->result && !ev->nest)
		thread_waits(w, ev);
	if (event_class((enum event_kind)ev->kind) == CLASS_OBJECT)
		objects_note(w->objects, ev);
}

/* A signal nobody took may have come too late: who had ended by then could have taken it.  What its handler does is seen when a run had it so. */
static void too_late(struct walk *w)
{
	uint32_t count = 0;
	for (size_t i = 0; i < w->sent.count; i++)
		for (size_t k = 0; k < w->ended.count && !w->sent.at[i].taken && count < LATE_MOST; k++) {
			const struct moment *end = &w->ended.at[k], *sent = &w->sent.at[i].at;
			struct aim aim = { .kind = AIM_TURN, .count = 2, .at = { *end, *sent } };
			if (end->time > sent->time || end->spot.thread == sent->spot.thread || !end->nth || !sent->nth || order_before(w->r->order, end->spot, sent->spot))
				continue;
			aims_add(w->out, &aim, "a signal");
			count++;
		}
}

static int walk(struct walk *w, bool first, struct err *why)
{
	struct reading g;
	const struct event *ev;
	w->objects = objects_new(w->r->trace);
	int got = reading_open(&g, w->r, w->r->events, w->objects, why);
	w->spots = order_walk_begin(w->r->order);
	while (got >= 0 && (got = reading_next(&g, &ev, why)) > 0)
		note(w, ev, first);
	order_walk_end(w->spots);
	reading_close(&g);
	objects_free(w->objects);
	return got < 0 ? -1 : 0;
}

int aims_handled(struct aims *a, struct recording *r, struct err *why)
{
	struct walk w = { .out = a, .r = r };
	if (!r->screen.handlers || !r->points || r->weak)
		return 0;
	w.inside = mem_take((trace_thread_count(r->trace) + 1) * sizeof *w.inside);
	int got = walk(&w, true, why);
	if (got == 0)
		too_late(&w);
	if (got == 0 && w.all.count)
		got = walk(&w, false, why);
	for (size_t i = 0; i < w.all.count; i++) {
		mem_free(w.all.at[i].last);
		map_release(&w.all.at[i].cells);
		vec_release(&w.all.at[i].feet);
	}
	vec_release(&w.all);
	vec_release(&w.sent);
	vec_release(&w.ended);
	mem_free(w.inside);
	return got;
}
