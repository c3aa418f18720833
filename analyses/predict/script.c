/* analyses/predict/script.c -- see script.h.
 *
 * The witness is a row of nodes (order/order.h); each is a turn of its thread up to that node's point, turns of one thread in a row being one.
 * Plain accesses are no nodes: they happen on the way to the next node of their thread.  Behind the witness come the turns of
 * the aim: up to the point in front of each moment, then the moments in their order, each a turn of its own. */
#include "analyses/predict/script.h"

#include <string.h>

struct writer {
	struct schedule *out;
	const struct recording *r;
	uint64_t *done;                 /* points, by thread, */
	uint32_t *nodes;                /* and nodes */
	uint32_t thread;                /* whose turn it is, */
	uint64_t nth;                   /* up to where; 0: nobody's */
	uint8_t kind;                   /* of that point, 0 not known */
};

uint32_t script_ways(const struct aim *aim)
{
	return aim->kind == AIM_RACE || aim->kind == AIM_TURN ? 2 : 1;
}

static void turn_over(struct writer *w)
{
	if (!w->nth)
		return;
	uint32_t thread = schedule_thread(w->out, recording_path(w->r, w->thread));
	schedule_step_add(w->out, STEP_RUN, thread, w->nth)->kind = w->kind;
	w->nth = 0;
}

/* `thread` runs through its point `nth`; `alone`: even if it is its turn already, this is a step of its own. */
static void turn(struct writer *w, uint32_t thread, uint64_t nth, uint8_t kind, bool alone)
{
	if (nth <= w->done[thread])
		return;
	if (w->nth && (w->thread != thread || alone))
		turn_over(w);
	w->thread = thread;
	w->nth = nth;
	w->kind = kind;
	w->done[thread] = nth;
}

/* Up to the point in front of a moment, if its thread has done all nodes there are before it. */
static void turn_before(struct writer *w, const struct moment *m)
{
	if (m->nth > 1 && w->nodes[m->spot.thread] == m->spot.at)
		turn(w, m->spot.thread, m->nth - 1, 0, false);
}

static void turn_through(struct writer *w, const struct moment *m)
{
	turn(w, m->spot.thread, m->nth, m->kind, true);
}

/* ---- the questions ---- */

enum order_answer script_ask(const struct recording *r, const struct aim *aim, struct witness *w, FILE *explain)
{
	struct spot reach[AIM_MOMENTS], limit[AIM_MOMENTS];
	struct question q = { .reach = reach, .limit = limit, .witness = w, .explain = explain };
	switch (aim->kind) {
	case AIM_RACE: case AIM_WAITS:
		for (uint32_t i = 0; i < aim->count; i++)
			reach[i] = limit[i] = aim->at[i].spot;
		q.reach_count = q.limit_count = aim->count;
		break;
	case AIM_TURN:
		reach[0] = aim->at[1].spot;
		limit[0] = aim->at[0].spot;
		q.reach_count = q.limit_count = 1;
		break;
	default:
		reach[0] = aim->at[0].spot;
		reach[1] = aim->at[1].spot;
		limit[0] = aim->at[2].spot;
		limit[1] = aim->at[1].spot;
		q.reach_count = q.limit_count = 2;
	}
	return order_ask(r->order, &q);
}

/* ---- the steps ---- */

static void nodes(struct writer *w, const struct witness *witness)
{
	for (uint32_t i = 0; i < witness->head + witness->count; i++) {
		uint32_t id = i < witness->head ? i : witness->node[i - witness->head];
		struct order_node n = order_node(w->r->order, id);
		turn(w, n.thread, w->r->of_node[id], n.real ? n.kind : 0, false);
		w->nodes[n.thread] = n.at + 1;
	}
}

static void moments(struct writer *w, const struct aim *aim, uint32_t way)
{
	const struct moment *first = &aim->at[way ? 0 : 1], *second = &aim->at[way ? 1 : 0];
	switch (aim->kind) {
	case AIM_RACE:
		turn_before(w, second);
		turn_before(w, first);
		turn_through(w, first);
		turn_through(w, second);
		break;
	case AIM_WAITS:
		for (uint32_t i = 0; i < aim->count; i++)
			turn_before(w, &aim->at[i]);
		break;
	case AIM_TURN:
		if (!way)
			turn_before(w, &aim->at[0]);
		turn_through(w, &aim->at[1]);
		break;
	default:
		turn_through(w, &aim->at[0]);
		turn_before(w, &aim->at[2]);
		turn_through(w, &aim->at[1]);
		if (w->nodes[aim->at[2].spot.thread] == aim->at[2].spot.at)
			turn_through(w, &aim->at[2]);
	}
	turn_over(w);
}

enum order_answer script_make(struct schedule *out, const struct recording *r, const struct aim *aim, uint32_t way, FILE *explain)
{
	struct witness witness = { 0 };
	enum order_answer answer = script_ask(r, aim, &witness, explain);
	if (answer == ORDER_YES) {
		size_t threads = trace_thread_count(r->trace) + 1;
		struct writer w = { .out = out, .r = r, .done = mem_take(threads * sizeof *w.done), .nodes = mem_take(threads * sizeof *w.nodes) };
		schedule_init(out);
		out->fixed_addresses = true;
		for (uint32_t i = 1; i < trace_thread_count(r->trace); i++)
			schedule_thread_add(out, recording_path(r, i), "");
		nodes(&w, &witness);
		moments(&w, aim, way);
		mem_free(w.done);
		mem_free(w.nodes);
	}
	order_witness_release(&witness);
	return answer;
}
