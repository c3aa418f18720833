/* order/ask.c -- the questions of order.h, each through the tiers; no yes leaves this file unchecked. */
#include <string.h>

#include "order/inside.h"

struct scratch { uint32_t *front, *limit, *with; };

static struct scratch *ask_room(struct order *o)
{
	if (!o->room) {
		size_t bytes = (o->thread_count + 1) * sizeof *o->room->front;
		o->room = mem_take(sizeof *o->room);
		o->room->front = mem_take(bytes);
		o->room->limit = mem_take(bytes);
		o->room->with = mem_take(bytes);
	}
	return o->room;
}

void ask_free(struct scratch *s)
{
	if (!s)
		return;
	mem_free(s->front);
	mem_free(s->limit);
	mem_free(s->with);
	mem_free(s);
}

void order_witness_release(struct witness *w)
{
	mem_free(w->node);
	*w = (struct witness){ 0 };
}

/* All nodes below head, and those of front[] from there on: in observed order. */
static void witness_observed(const struct order *o, const uint32_t *front, uint32_t head, struct witness *w)
{
	uint32_t last = head;
	for (uint32_t t = 0; t < o->thread_count; t++)
		if (front[t]) {
			uint32_t id = node_of(o, t, front[t] - 1);
			last = id >= last ? id + 1 : last;
		}
	w->node = mem_resize(w->node, (last - head + 1) * sizeof *w->node);
	w->head = head;
	w->tail = (uint32_t)o->nodes.count;
	w->count = 0;
	for (uint32_t n = head; n < last; n++)
		if (in_front(o, front, n))
			w->node[w->count++] = n;
}

static void explain_must(const struct order *o, const struct question *q, struct spot passed)
{
	if (!q->explain)
		return;
	struct order_node n = order_node(o, node_of(o, passed.thread, passed.at));
	fprintf(q->explain, "  threads and synchronisation: %s of %s must come first\n", node_word(n.kind, n.object),
		trace_thread(o->trace, (struct thread_id){ n.thread % o->own_count })->path);
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

/* A witness that does not hold is our bug, never a finding. */
static void assure(struct order *o, const struct witness *w, const struct question *q, const struct order_read *read)
{
	const char *wrong = check_witness(o, w, q);
	if (!wrong && read)
		wrong = check_reads(o, w, read);
	if (!wrong)
		return;
	fprintf(stderr, "raddle: a witness that does not hold: %s\n", wrong);
	check(!"witness");
}

/* As much of the observed order as limits permit, then what is needed: such a witness differs little from what was seen.
 * What stands in the way (a section that can no longer be closed) is left out with all behind it, and it is tried again. */
static bool near(const struct order *o, const struct question *q, uint32_t *front, const uint32_t *limit, struct witness *w)
{
	uint32_t *with = o->room->with, cut = (uint32_t)o->nodes.count, culprit;
	for (uint32_t i = 0; i < q->limit_count; i++) {
		uint32_t n = node_of(o, q->limit[i].thread, q->limit[i].at);
		cut = n < cut ? n : cut;
	}
	for (int tries = 0; tries < 8; tries++) {
		memcpy(with, front, o->thread_count * sizeof *with);
		front_at(o, with, cut);
		if (near_complete(o, with, limit, &culprit)) {
			witness_observed(o, with, cut, w);
			return true;
		}
		if (culprit >= cut || cut == 0)
			break;
		cut = tries == 6 ? 0 : culprit;
	}
	if (!near_complete(o, front, limit, &culprit))
		return false;
	witness_observed(o, front, 0, w);
	return true;
}

bool ask_no_counts(struct order *o)
{
	return !o->overordered && !check_observed(o);
}

static enum order_answer ask(struct order *o, const struct question *q, const struct asked *asked)
{
	check(o->sealed);
	check_spots(o, q->reach, q->reach_count);
	check_spots(o, q->limit, q->limit_count);
	struct scratch *room = ask_room(o);
	uint32_t *front = room->front, *limit = room->limit;
	struct witness own = { 0 };
	struct question mine = *q;
	mine.witness = q->witness ? q->witness : &own;
	memset(front, 0, o->thread_count * sizeof *front);
	memset(limit, 0xff, o->thread_count * sizeof *limit);
	for (uint32_t i = 0; i < q->limit_count; i++)
		if (q->limit[i].at < limit[q->limit[i].thread])
			limit[q->limit[i].thread] = q->limit[i].at;
	enum order_answer answer = ORDER_NO;
	o->spent++;
	bool permitted = needed(o, q, front), broken = check_observed(o) != NULL;
	if (permitted && broken && q->witness && !asked->read && !asked->whole) {
		q->witness->guess = near(o, q, front, limit, q->witness);
		if (!q->witness->guess)
			order_witness_release(q->witness);      /* no order to start from: order_seal() has said so */
	}
	if (permitted && !broken)
		answer = !asked->read && !asked->whole && near(o, q, front, limit, mine.witness) ? ORDER_YES : search_ask(o, &mine, asked);
	if (answer == ORDER_YES) {
		assure(o, mine.witness, q, asked->read);
		o->spent += mine.witness->count;
	}
	if (answer == ORDER_NO && !ask_no_counts(o))
		answer = ORDER_UNKNOWN;
	order_witness_release(&own);
	return answer;
}

void order_watch(struct order *o, bool (*goes_on)(void *with), void *with)
{
	o->goes_on = goes_on;
	o->goes_with = with;
}

uint64_t order_spent(const struct order *o)
{
	return o->spent;
}

enum order_answer order_ask(struct order *o, const struct question *q)
{
	return ask(o, q, &(struct asked){ 0 });
}

enum order_answer ask_proof(struct order *o, const struct question *q, const struct asked *asked)
{
	return ask(o, q, asked);
}

enum order_answer ask_reads(struct order *o, const struct question *q, const struct order_read *read, const struct edge *more,
	uint32_t more_count)
{
	return ask(o, q, &(struct asked){ .more = more, .more_count = more_count, .read = read });
}

/* What b needs comes before all that a's place forbids. */
uint32_t turned_edges(const struct order *o, const struct stand *a, const struct stand *b, struct edge *edges)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < b->count; i++)
		for (uint32_t k = 0; k < a->count; k++) {
			uint32_t to = node_of(o, a->limit[k].thread, a->limit[k].at);
			if (b->reach[i].at && to != NONE)
				edges[count++] = (struct edge){ node_of(o, b->reach[i].thread, b->reach[i].at - 1), to };
		}
	return count;
}

/* Can all of the trace happen with b before a? */
static enum order_answer whole_trace(struct order *o, const struct stand *a, const struct stand *b, struct witness *w)
{
	enum order_answer answer = ORDER_YES;
	struct spot *ends = mem_take((o->thread_count + 1) * sizeof *ends);
	for (uint32_t t = 0; t < o->thread_count; t++)
		ends[t] = (struct spot){ t, (uint32_t)o->threads[t].node.count };
	struct question q = { .reach = ends, .reach_count = o->thread_count, .witness = w };
	if (!search_complete(o, w)) {
		struct edge turned[4];
		uint32_t count = turned_edges(o, a, b, turned);
		answer = count ? search_ask(o, &q, &(struct asked){ .more = turned, .more_count = count, .whole = true }) : ORDER_UNKNOWN;
		answer = answer == ORDER_NO && !ask_no_counts(o) ? ORDER_UNKNOWN : answer;
	}
	if (answer == ORDER_YES)
		assure(o, w, &q, NULL);
	mem_free(ends);
	return answer;
}

enum order_answer order_reversible(struct order *o, struct stand a, struct stand b, struct witness *witness, FILE *explain)
{
	struct witness own = { 0 }, *w = witness ? witness : &own;
	struct question q = { .reach = b.reach, .reach_count = b.count, .limit = a.limit, .limit_count = a.count, .witness = w,
		.explain = explain };
	enum order_answer answer = order_ask(o, &q);
	if (answer == ORDER_YES && b.reach[0].at) {
		w->stuck = false;
		if (whole_trace(o, &a, &b, w) == ORDER_NO) {
			w->stuck = true;
			answer = ORDER_STUCK;
		}
	}
	order_witness_release(&own);
	return answer;
}

enum order_answer order_adjacent(struct order *o, struct stand a, struct stand b, struct witness *witness)
{
	struct spot reach[4], limit[4];
	uint32_t count = 0;
	for (uint32_t i = 0; i < a.count; i++, count++)
		reach[count] = a.reach[i], limit[count] = a.limit[i];
	for (uint32_t i = 0; i < b.count; i++, count++)
		reach[count] = b.reach[i], limit[count] = b.limit[i];
	struct question q = { .reach = reach, .reach_count = count, .limit = limit, .limit_count = count, .witness = witness };
	return order_ask(o, &q);
}
