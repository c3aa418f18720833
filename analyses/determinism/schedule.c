/* analyses/determinism/schedule.c -- the witness of a reversal as a schedule that raddle replay follows.
 *
 * A step of a schedule counts what a thread did by its *points* (wire/steer.h); a trace has events.  Of most kinds one event is
 * one point; a join has two; what the library does inside has none.  The schedule leads to where the second event of the
 * pair happens and the first has not, runs both in that order, and leaves the rest to the default policy.  Of threads that wait for each
 * other it leads to where all of them are about to.
 *   (1) elements of one record share its number and count once;
 *   (2) steps carry the kind of their event: where counting was wrong, a replay leaves its schedule and says so. */
#include <string.h>

#include "analyses/determinism/determinism.h"
#include "base/vec.h"
#include "drive/schedule.h"

struct count {
	struct order *order;
	uint64_t *points;               /* so far, by thread */
	uint64_t *number;               /* the last one seen, by thread */
	uint64_t *of_node;              /* points of its thread when a node has happened */
	uint64_t ends[2];               /* of the pair */
};

static uint32_t points_of(const struct event *ev)
{
	switch (ev->kind) {
	case EV_STACK: case EV_TLS: case EV_NAME: case EV_MAP: case EV_UNMAP: case EV_BLOCK: case EV_LIBREAD: case EV_LIBWRITE:
	case EV_KEYFRAME: case EV_FRAMES: case EV_IGNORE: case EV_TIME: case EV_MODULE: case EV_LOST: case EV_OUTCALL:
		return 0;
	case EV_ALLOC: case EV_FREE: case EV_REALLOC:
		return *ev->place->file != 0;           /* else the library's own */
	case EV_JOIN:
		return 2;
	default:
		return 1;
	}
}

static int count_points(struct count *c, struct trace *t, const struct pair *p, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	int got;
	if (merged_open(&m, t, why) < 0)
		return -1;
	struct order_walk *walk = order_walk_begin(c->order);
	while ((got = merged_next_in_place(m, &ev, why)) > 0) {
		uint32_t thread = ev->thread.i, points = points_of(ev);
		struct spot spot = order_walk_next(walk, ev);
		if (points && (!ev->time || ev->time != c->number[thread])) {
			c->points[thread] += points;
			c->number[thread] = ev->time;
		}
		uint32_t node = order_at(c->order, spot);
		if (node != NO_NODE && order_node(c->order, node).real && order_node(c->order, node).index == ev->index)
			c->of_node[node] = c->points[thread];
		if (thread == p->first.spot.thread && ev->index == p->first.index)
			c->ends[0] = c->points[thread];
		if (thread == p->second.spot.thread && ev->index == p->second.index)
			c->ends[1] = c->points[thread];
	}
	order_walk_end(walk);
	merged_close(m);
	return got < 0 ? -1 : 0;
}

static void head(struct schedule *s, struct trace *t)
{
	const char *program = trace_fact(t, "exe");
	char key[32];
	schedule_init(s);
	if (program)
		s->program = schedule_text(s, program, strlen(program));
	for (int i = 0; i < 4096; i++) {
		snprintf(key, sizeof key, "argv%d", i);
		const char *argument = trace_fact(t, key);
		if (!argument)
			break;
		vec_push(&s->arguments, schedule_text(s, argument, strlen(argument)));
	}
	if (trace_module_count(t))
		s->build_id = schedule_text(s, trace_module(t, 0)->build_id, strlen(trace_module(t, 0)->build_id));
	s->fixed_addresses = true;
	for (uint32_t i = 1; i < trace_thread_count(t); i++)
		schedule_thread_add(s, trace_thread(t, (struct thread_id){ i })->path, "");
}

static bool is_steered(struct trace *t)
{
	for (uint32_t i = 0; i < trace_thread_count(t); i++)
		if (!schedule_is_path(trace_thread(t, (struct thread_id){ i })->path))
			return false;
	return trace_order(t) == ORDER_TOTAL && trace_fact(t, "exe");
}

struct turn { uint32_t thread; uint64_t nth; uint8_t kind; };

static void turn(struct schedule *s, struct trace *t, uint64_t *done, struct turn *now, struct turn next)
{
	if (next.nth <= done[next.thread] || !next.nth)
		return;
	if (now->nth && now->thread != next.thread) {
		uint32_t thread = schedule_thread(s, trace_thread(t, (struct thread_id){ now->thread })->path);
		schedule_step_add(s, STEP_RUN, thread, now->nth)->kind = now->kind;
	}
	*now = next;
	done[next.thread] = next.nth;
}

static void steps(struct schedule *s, struct trace *t, const struct count *c, const struct witness *w, const struct pair *p)
{
	uint64_t *done = mem_take((trace_thread_count(t) + 1) * sizeof *done);
	struct turn now = { 0 };
	for (uint32_t i = 0; i < w->head + w->count; i++) {
		uint32_t id = i < w->head ? i : w->node[i - w->head];
		struct order_node n = order_node(c->order, id);
		turn(s, t, done, &now, (struct turn){ n.thread, c->of_node[id], n.kind });
	}
	if (!p->waits)
		turn(s, t, done, &now, (struct turn){ p->second.spot.thread, c->ends[1], p->second.kind });
	if (now.nth) {
		uint32_t thread = schedule_thread(s, trace_thread(t, (struct thread_id){ now.thread })->path);
		schedule_step_add(s, STEP_RUN, thread, now.nth)->kind = now.kind;
	}
	mem_free(done);
}

int determinism_schedule(struct determinism *d, const struct pair *p, const char *path, struct err *why)
{
	struct schedule s;
	struct witness w = { 0 };
	size_t threads = trace_thread_count(d->trace) + 1;
	if (!is_steered(d->trace))
		return 1;
	struct question q = { .reach = &p->second.spot, .reach_count = 1, .limit = &p->first.spot, .limit_count = 1, .witness = &w };
	if (p->waits)
		q = (struct question){ .reach = d->stuck.spot, .reach_count = d->stuck.count, .limit = d->stuck.spot, .limit_count = d->stuck.count,
			.witness = &w };
	struct count c = { .order = d->order, .points = mem_take(threads * sizeof *c.points),
		.number = mem_take(threads * sizeof *c.number), .of_node = mem_take((order_nodes(d->order) + 1) * sizeof *c.of_node) };
	int got = order_ask(d->order, &q) == ORDER_YES ? count_points(&c, d->trace, p, why) : 1;
	if (got == 0) {
		head(&s, d->trace);
		steps(&s, d->trace, &c, &w, p);
		got = schedule_write(&s, path, why);
		schedule_release(&s);
	}
	order_witness_release(&w);
	mem_free(c.points);
	mem_free(c.number);
	mem_free(c.of_node);
	return got;
}
