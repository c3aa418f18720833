/* analyses/determinism/schedule.c -- the witness of a reversal as a schedule that raddle replay follows.
 *
 * A step of a schedule counts what a thread did by its *points* (wire/steer.h); an event says which point of its thread it was.  The
 * schedule leads to where the second event of the pair happens and the first has not, runs both in that order, and leaves the rest
 * to the default policy.  Of threads that wait for each other it leads to where all of them are about to.
 *   (1) where the order decides how many points something has, they are those of the order written: a join is one, as the thread joined
 *       has ended; leaving a barrier is one, but none for the thread that comes to it last;
 *   (2) steps carry the kind of their event: where a program does something else, a replay leaves its schedule and says so. */
#include <string.h>

#include "analyses/determinism/determinism.h"
#include "base/map.h"
#include "base/vec.h"
#include "drive/schedule.h"

struct count {
	struct order *order;
	uint64_t *points;               /* so far, by thread */
	uint64_t *left;                 /* of them, leaving barriers */
	uint64_t *of_node;              /* points of its thread when a node has happened, without leaving barriers */
	uint64_t *making;               /* by thread: the node + 1 by which it creates a thread, while the library is about it: not to be interrupted */
	uint64_t *round;                /* of nodes that come to or leave a barrier: which one, which generation, as one number */
	uint64_t ends[2];               /* of the pair */
};

static void count_event(struct count *c, const struct event *ev, struct spot spot)
{
	uint32_t thread = ev->thread.i;
	if (ev->kind == EV_BLEAVE)
		c->left[thread] += ev->points - c->points[thread];
	c->points[thread] = ev->points;
	if (c->making[thread] && event_class((enum event_kind)ev->kind) == CLASS_OBJECT && !*ev->place->file)
		c->of_node[c->making[thread] - 1] = c->points[thread] - c->left[thread];
	else if (ev->kind != EV_LIBWRITE)
		c->making[thread] = 0;
	uint32_t node = order_at(c->order, spot);
	if (node == NO_NODE || !order_node(c->order, node).real || order_node(c->order, node).index != ev->index)
		return;
	c->of_node[node] = c->points[thread] - c->left[thread];
	if (ev->kind == EV_FORK)
		c->making[thread] = node + 1;
	if (ev->kind == EV_BENTER || ev->kind == EV_BLEAVE)
		c->round[node] = (ev->object << 16) + ev->arg;
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
		uint32_t thread = ev->thread.i;
		count_event(c, ev, order_walk_next(walk, ev));
		if (thread == p->first.spot.thread && ev->index == p->first.index)
			c->ends[0] = c->points[thread] - c->left[thread];
		if (thread == p->second.spot.thread && ev->index == p->second.index)
			c->ends[1] = c->points[thread] - c->left[thread];
	}
	order_walk_end(walk);
	merged_close(m);
	return got < 0 ? -1 : 0;
}

static void head(struct schedule *s, struct trace *t)
{
	const char *program = trace_fact(t, "exe"), *heap = trace_fact(t, "heap");
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
	s->heap = HEAP_UNIQUE;
	for (uint32_t i = 0; heap_words[i]; i++)
		if (heap && !strcmp(heap, heap_words[i]))
			s->heap = i;
	for (uint32_t i = 1; i < trace_thread_count(t); i++)
		schedule_thread_add(s, trace_thread(t, (struct thread_id){ i })->path, "");
}

static bool is_steered(struct trace *t)
{
	for (uint32_t i = 0; i < trace_thread_count(t); i++)
		if (!schedule_is_path(trace_thread(t, (struct thread_id){ i })->path))
			return false;
	return trace_order(t) == ORDER_TOTAL && trace_flags(t) & TRACE_POINTS && !trace_salvaged(t) && trace_fact(t, "exe");
}

struct turn { uint32_t thread; uint64_t nth; uint8_t kind; };

struct script {                         /* being written */
	struct schedule *s;
	struct trace *trace;
	uint64_t *done, *left;          /* by thread: points, and those of them by which it left barriers */
	struct map last;                /* round -> thread that came last + 1 */
	struct turn now;
};

static void end_turn(struct script *x)
{
	if (!x->now.nth)
		return;
	uint32_t thread = schedule_thread(x->s, trace_thread(x->trace, (struct thread_id){ x->now.thread })->path);
	schedule_step_add(x->s, STEP_RUN, thread, x->now.nth)->kind = x->now.kind;
}

static void turn(struct script *x, struct turn next)
{
	if (next.nth <= x->done[next.thread] || !next.nth)
		return;
	if (x->now.thread != next.thread)
		end_turn(x);
	x->now = next;
	x->done[next.thread] = next.nth;
}

static void steps(struct script *x, const struct count *c, const struct witness *w, const struct pair *p)
{
	for (uint32_t i = 0; i < w->head + w->count; i++) {
		uint32_t id = i < w->head ? i : w->node[i - w->head];
		struct order_node n = order_node(c->order, id);
		if (!n.real)
			continue;
		if (n.kind == EV_BENTER)
			*map_put(&x->last, c->round[id], NULL) = n.thread + 1;
		if (n.kind == EV_BLEAVE)
			x->left[n.thread] += *map_put(&x->last, c->round[id], NULL) != n.thread + 1;
		uint8_t kind = n.kind == EV_FORK ? 0 : n.kind;          /* its last point may be the library's */
		turn(x, (struct turn){ n.thread, c->of_node[id] + x->left[n.thread], kind });
	}
	uint32_t second = p->second.spot.thread;
	if (!p->waits)
		turn(x, (struct turn){ second, c->ends[1] + x->left[second], p->second.kind });
	end_turn(x);
}

static int write_schedule(struct determinism *d, const struct count *c, const struct witness *w, const struct pair *p, const char *path,
	struct err *why)
{
	struct schedule s;
	size_t threads = trace_thread_count(d->trace) + 1;
	struct script x = { .s = &s, .trace = d->trace, .done = mem_take(threads * sizeof *x.done), .left = mem_take(threads * sizeof *x.left) };
	head(&s, d->trace);
	steps(&x, c, w, p);
	int got = schedule_write(&s, path, why);
	schedule_release(&s);
	map_release(&x.last);
	mem_free(x.done);
	mem_free(x.left);
	return got;
}

int determinism_schedule(struct determinism *d, const struct pair *p, const char *path, struct err *why)
{
	struct witness w = { 0 };
	size_t threads = trace_thread_count(d->trace) + 1, nodes = order_nodes(d->order) + 1;
	if (!is_steered(d->trace))
		return 1;
	struct question q = { .reach = &p->second.spot, .reach_count = 1, .limit = &p->first.spot, .limit_count = 1, .witness = &w };
	if (p->waits)
		q = (struct question){ .reach = d->stuck.spot, .reach_count = d->stuck.count, .limit = d->stuck.spot, .limit_count = d->stuck.count,
			.witness = &w };
	struct count c = { .order = d->order, .points = mem_take(threads * sizeof *c.points), .left = mem_take(threads * sizeof *c.left),
		.making = mem_take(threads * sizeof *c.making),
		.of_node = mem_take(nodes * sizeof *c.of_node), .round = mem_take(nodes * sizeof *c.round) };
	int got = order_ask(d->order, &q) == ORDER_YES ? count_points(&c, d->trace, p, why) : 1;
	if (got == 0)
		got = write_schedule(d, &c, &w, p, path, why);
	order_witness_release(&w);
	mem_free(c.points);
	mem_free(c.left);
	mem_free(c.making);
	mem_free(c.of_node);
	mem_free(c.round);
	return got;
}
