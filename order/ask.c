/* order/ask.c -- the questions of order.h, each through the tiers; no yes leaves this file unchecked. */
#include <string.h>

#include "order/inside.h"

void order_witness_release(struct witness *w)
{
	mem_free(w->node);
	*w = (struct witness){ 0 };
}

/* All nodes of front[], in observed order. */
static void witness_observed(const struct order *o, const uint32_t *front, struct witness *w)
{
	uint32_t most = 0;
	for (uint32_t t = 0; t < o->thread_count; t++)
		most += front[t];
	w->node = mem_resize(w->node, (most + 1) * sizeof *w->node);
	w->count = 0;
	for (uint32_t n = 0; n < o->nodes.count && w->count < most; n++)
		if (in_front(o, front, n))
			w->node[w->count++] = n;
}

static void explain_must(const struct order *o, const struct question *q, struct spot passed)
{
	if (!q->explain)
		return;
	struct order_node n = order_node(o, node_of(o, passed.thread, passed.at));
	fprintf(q->explain, "  threads and synchronisation: %s of %s must come first\n", event_word((enum event_kind)n.kind),
		trace_thread(o->trace, (struct thread_id){ n.thread })->path);
}

/* front[] = what the question needs; false: past a limit. */
static bool needed(const struct order *o, const struct question *q, uint32_t *front)
{
	for (uint32_t i = 0; i < q->reach_count; i++)
		if (q->reach[i].at)
			cone_add(o, front, node_of(o, q->reach[i].thread, q->reach[i].at - 1));
	for (uint32_t i = 0; i < q->limit_count; i++)
		if (front[q->limit[i].thread] > q->limit[i].at) {
			explain_must(o, q, q->limit[i]);
			return false;
		}
	return true;
}

static void check_spots(const struct order *o, const struct spot *spots, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		check(spots[i].thread < o->thread_count && spots[i].at <= o->threads[spots[i].thread].node.count);
}

enum order_answer order_ask(struct order *o, const struct question *q)
{
	check(o->sealed);
	check_spots(o, q->reach, q->reach_count);
	check_spots(o, q->limit, q->limit_count);
	uint32_t *front = mem_take((o->thread_count + 1) * sizeof *front), *limit = mem_take((o->thread_count + 1) * sizeof *limit);
	struct witness own = { 0 };
	struct question mine = *q;
	mine.witness = q->witness ? q->witness : &own;
	memset(limit, 0xff, o->thread_count * sizeof *limit);
	for (uint32_t i = 0; i < q->limit_count; i++)
		if (q->limit[i].at < limit[q->limit[i].thread])
			limit[q->limit[i].thread] = q->limit[i].at;
	enum order_answer answer = ORDER_NO;
	if (needed(o, q, front)) {
		if (near_complete(o, front, limit)) {
			witness_observed(o, front, mine.witness);
			answer = ORDER_YES;
		} else {
			answer = search_ask(o, &mine, NULL, 0, false);
		}
	}
	if (answer == ORDER_YES) {
		const char *wrong = check_witness(o, mine.witness, q);
		if (wrong) {
			fprintf(stderr, "raddle: a witness that does not hold: %s\n", wrong);
			check(!"witness");
		}
	}
	order_witness_release(&own);
	mem_free(front);
	mem_free(limit);
	return answer;
}

/* Can all of the trace happen with b before a? */
static enum order_answer whole_trace(struct order *o, struct spot a, struct spot b, struct witness *w)
{
	uint32_t *all = mem_take((o->thread_count + 1) * sizeof *all);
	struct spot *ends = mem_take((o->thread_count + 1) * sizeof *ends);
	for (uint32_t t = 0; t < o->thread_count; t++) {
		all[t] = (uint32_t)o->threads[t].node.count;
		ends[t] = (struct spot){ t, all[t] };
	}
	enum order_answer answer = ORDER_YES;
	struct question q = { .reach = ends, .reach_count = o->thread_count, .witness = w };
	if (!search_complete(o, w, all)) {
		struct edge turned = { node_of(o, b.thread, b.at - 1), node_of(o, a.thread, a.at) };
		answer = turned.to == NONE ? ORDER_UNKNOWN : search_ask(o, &q, &turned, 1, true);
	}
	if (answer == ORDER_YES)
		check(!check_witness(o, w, &q));
	mem_free(all);
	mem_free(ends);
	return answer;
}

enum order_answer order_reversible(struct order *o, struct spot a, struct spot b, struct witness *witness, FILE *explain)
{
	struct witness own = { 0 }, *w = witness ? witness : &own;
	struct question q = { .reach = &b, .reach_count = 1, .limit = &a, .limit_count = 1, .witness = w, .explain = explain };
	enum order_answer answer = order_ask(o, &q);
	if (answer == ORDER_YES && b.at) {
		w->stuck = false;
		if (whole_trace(o, a, b, w) == ORDER_NO) {
			w->stuck = true;
			answer = ORDER_STUCK;
		}
	}
	order_witness_release(&own);
	return answer;
}

enum order_answer order_adjacent(struct order *o, struct spot a, struct spot b, struct witness *witness)
{
	struct spot both[2] = { a, b };
	struct question q = { .reach = both, .reach_count = 2, .limit = both, .limit_count = 2, .witness = witness };
	return order_ask(o, &q);
}
