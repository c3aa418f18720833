/* analyses/predict/script.c -- see script.h.
 *
 * The witness is a row of nodes (order/order.h); each is a turn of its thread up to that node's point, turns of one thread in a row being one.
 * Plain accesses are no nodes, unless the row is one in which reads keep what they returned: they happen on the way to the next node of their thread, or in the
 * order they were observed in as far as the row of nodes permits.  Behind the witness come the turns of the aim: up to the point in front of each moment, then
 * the moments in their order, each a turn of its own. */
#include "analyses/predict/script.h"

#include <string.h>

#include "wire/line.h"

struct writer {
	struct schedule *out;
	const struct recording *r;
	struct order *order;            /* whose nodes they are: the recording's, or one that has accesses among them */
	uint64_t *done;                 /* points, by thread, */
	uint32_t *nodes;                /* and nodes */
	uint32_t thread;                /* whose turn it is, */
	uint64_t from, nth;             /* behind where, up to where; nth 0: nobody's */
	uint8_t kind;                   /* of that point, 0 not known */
	struct handler_skip skip;       /* count 0: nothing is */
};

/* Of a turn: everybody goes as far as may be; only as far as needed.  Of two atomic accesses, which are no race however close they come, the one that came first
 * also comes right behind the other, before that one's thread has made anything of what it saw. */
enum turn_order { TURN_FAR, TURN_NEEDED, TURN_CLOSE };

static bool is_atomic(const struct aim *aim)
{
	return aim->at[0].atomic && aim->at[1].atomic;
}

static enum turn_order turn_order(const struct aim *aim, uint32_t way)
{
	return !way ? TURN_FAR : is_atomic(aim) && way == 1 ? TURN_CLOSE : TURN_NEEDED;
}

static uint32_t orders_of(const struct aim *aim)
{
	if (aim->kind == AIM_TURN && !aim->denied)
		return is_atomic(aim) ? 3 : 2;
	return aim->kind == AIM_LATE ? 4 : aim->kind == AIM_RACE ? 2 : 1;
}

uint32_t script_ways(const struct aim *aim)
{
	return 2 * orders_of(aim);
}

/* The point as it is counted when a handler is left out that ran before. */
static uint64_t counted(const struct writer *w, uint64_t nth)
{
	const struct handler_skip *s = &w->skip;
	if (!s->count || s->thread != w->thread || nth <= s->from)
		return nth;
	return nth <= s->from + s->count ? s->from : nth - s->count;
}

/* What its points were told when they were recorded, they are told again. */
static void answers(struct writer *w, uint32_t thread)
{
	const struct thread_points *p = &w->r->points[w->thread];
	size_t low = 0, high = p->answers.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->answers.at[middle].nth <= w->from)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < p->answers.count && p->answers.at[low].nth <= w->nth; low++)
		if (counted(w, p->answers.at[low].nth) > counted(w, p->answers.at[low].nth - 1))
			schedule_step_add(w->out, STEP_ANSWER, thread, counted(w, p->answers.at[low].nth))->answer = p->answers.at[low].answer;
}

static void turn_over(struct writer *w)
{
	if (!w->nth)
		return;
	uint32_t thread = schedule_thread(w->out, recording_path(w->r, w->thread));
	answers(w, thread);
	if (counted(w, w->nth) > counted(w, w->from))
		schedule_step_add(w->out, STEP_RUN, thread, counted(w, w->nth))->kind = counted(w, w->nth) > counted(w, w->nth - 1) ? w->kind : 0;
	w->nth = 0;
}

/* `thread` runs through its point `nth`; `alone`: even if it is its turn already, this is a step of its own. */
static void turn(struct writer *w, uint32_t thread, uint64_t nth, uint8_t kind, bool alone)
{
	if (nth <= w->done[thread])
		return;
	if (w->nth && (w->thread != thread || alone))
		turn_over(w);
	if (!w->nth)
		w->from = w->done[thread];
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

/* What is checked when it comes: the kind of its point, which is its own; 0: what the library reads, writes and gives back may be of a point of
 * another kind (puts waits for its stream, write for its turn to put something out). */
static uint8_t checked_kind(const struct moment *m)
{
	bool inside = (m->kind >= EV_LIBREAD && m->kind <= EV_COPY) || m->kind == EV_INPUT || m->kind == EV_OUTPUT || kind_gives_back(m->kind);
	return inside ? 0 : m->kind;
}

static void turn_through(struct writer *w, const struct moment *m)
{
	turn(w, m->spot.thread, m->nth, checked_kind(m), true);
}

/* What the handler is to run in front of. */
static const struct moment *handled_before(const struct aim *aim)
{
	return &aim->at[aim->count - 1];
}

/* ---- the questions ---- */

/* Where its threads are to stand. */
static struct question question_of(const struct aim *aim, struct spot reach[AIM_MOMENTS], struct spot limit[AIM_MOMENTS])
{
	struct question q = { .reach = reach, .limit = limit };
	switch (aim->denied ? AIM_WAITS : aim->kind) {
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
	case AIM_HANDLED:
		reach[0] = aim->behind ? aim->at[0].spot : handled_before(aim)->spot;
		limit[0] = handled_before(aim)->spot;
		reach[1] = limit[1] = aim->at[HANDLED_SENT].spot;
		q.reach_count = q.limit_count = 2;
		break;
	default:
		reach[0] = aim->at[0].spot;
		reach[1] = aim->at[1].spot;
		limit[0] = aim->at[2].spot;
		limit[1] = aim->at[1].spot;
		q.reach_count = q.limit_count = 2;
	}
	return q;
}

enum order_answer script_ask(struct order *o, const struct aim *aim, const struct order_read *reads, uint64_t budget, struct witness *w,
	FILE *explain)
{
	struct spot reach[AIM_MOMENTS], limit[AIM_MOMENTS];
	struct question q = question_of(aim, reach, limit);
	q.witness = w;
	q.explain = explain;
	q.budget = budget;
	return reads ? order_ask_keeping(o, &q, reads) : order_ask(o, &q);
}

bool script_kept_apart(struct order *o, const struct aim *aim, FILE *explain)
{
	struct spot reach[AIM_MOMENTS], limit[AIM_MOMENTS];
	struct question q = question_of(aim, reach, limit);
	return order_kept_apart(o, &q, explain);
}

/* How far the thread of a late store goes on, in this order of it. */
static const struct moment *goes_to(const struct aim *aim, uint32_t order)
{
	return &aim->at[order < 2 ? LATE_FAR : LATE_NEAR];
}

/* Of a weak order: can the store's thread be there, the other one in front of its access, and nothing that waits behind the store be in memory? */
static enum order_answer ask_late(struct order *o, const struct aim *aim, uint32_t order, struct witness *w, FILE *explain)
{
	struct event store = { .kind = EV_WRITE, .thread = { aim->at[LATE_STORE].spot.thread }, .index = aim->at[LATE_STORE].index };
	struct spot reach[] = { goes_to(aim, order)->spot, aim->at[LATE_OTHER].spot };
	struct spot limit[] = { reach[0], reach[1], order_stand(o, ORDER_TSO, &store).limit[1] };
	return order_ask(o, &(struct question){ .reach = reach, .reach_count = 2, .limit = limit, .limit_count = 3, .witness = w, .explain = explain });
}

struct steer_late script_late(const struct schedule *s, const struct recording *r, const struct aim *aim)
{
	const struct moment *store = &aim->at[LATE_STORE];
	if (aim->kind != AIM_LATE)
		return (struct steer_late){ 0 };
	return (struct steer_late){ schedule_thread(s, recording_path(r, store->spot.thread)), store->nth };
}

/* ---- the steps ---- */

/* That a store reaches memory is nobody's turn. */
static bool is_flush(const struct writer *w, const struct order_node *n)
{
	return n->thread >= trace_thread_count(w->r->trace);
}

static struct order_node node_at(const struct writer *w, const struct witness *x, uint32_t i, uint64_t *nth)
{
	uint32_t id = i < x->head ? i : x->node[i - x->head];
	struct order_node n = order_node(w->order, id);
	*nth = w->order == w->r->order ? w->r->of_node[id] : n.real && !is_flush(w, &n) ? recording_nth(w->r, n.thread, n.index) : 0;
	return n;
}

/* Of the point a node is at, as a check; 0: it is at that of another event, or may be. */
static uint8_t point_kind(const struct writer *w, const struct order_node *n)
{
	return w->order == w->r->order && n->real && n->kind != EV_RELEASE && n->kind != EV_ACQUIRE && !line_is(n->object) ? n->kind : 0;
}

static void nodes(struct writer *w, const struct witness *witness)
{
	uint64_t nth;
	for (uint32_t i = 0; i < witness->head + witness->count; i++) {
		struct order_node n = node_at(w, witness, i, &nth);
		if (is_flush(w, &n))
			continue;
		turn(w, n.thread, nth, point_kind(w, &n), false);
		w->nodes[n.thread] = n.at + 1;
	}
}

/* ---- the same, with what lies between nodes in the order it was observed in ---- */

struct merge {
	uint64_t *free;                 /* by thread: points it may go through without a node, */
	VEC(uint64_t) *next;            /* its nodes' points that are to come, the last one first */
};

/* How far may a thread go before its next node: up to that, or up to where the aim wants it. */
static void set_free(struct merge *m, const uint64_t *until, uint32_t thread)
{
	size_t left = m->next[thread].count;
	m->free[thread] = left ? m->next[thread].at[left - 1] - 1 : until[thread];
}

static uint64_t time_of(const struct writer *w, uint32_t thread)
{
	const struct thread_points *p = &w->r->points[thread];
	return w->done[thread] < p->times.count ? p->times.at[w->done[thread]] : UINT64_MAX;
}

/* Of the threads that may go on by themselves the one whose next point was observed first, before `most`. */
static uint32_t earliest(const struct writer *w, const struct merge *m, uint32_t threads, uint64_t most)
{
	uint32_t best = NO_NODE;
	for (uint32_t t = 0; t < threads; t++)
		if (w->done[t] < m->free[t] && time_of(w, t) < most) {
			most = time_of(w, t);
			best = t;
		}
	return best;
}

static void merged_nodes(struct writer *w, const struct witness *x, const uint64_t *until)
{
	uint32_t threads = trace_thread_count(w->r->trace), count = x->head + x->count, go;
	uint64_t nth;
	struct merge m = { mem_take((threads + 1) * sizeof *m.free), mem_take((threads + 1) * sizeof *m.next) };
	for (uint32_t i = count; i-- > 0;) {
		struct order_node n = node_at(w, x, i, &nth);
		if (nth)
			vec_push(&m.next[n.thread], nth);
	}
	for (uint32_t t = 0; t < threads; t++)
		set_free(&m, until, t);
	for (uint32_t i = 0; i < count; i++) {
		struct order_node n = node_at(w, x, i, &nth);
		if (is_flush(w, &n))
			continue;
		w->nodes[n.thread] = n.at + 1;
		if (!nth)
			continue;
		while (w->done[n.thread] + 1 < nth && (go = earliest(w, &m, threads, UINT64_MAX)) != NO_NODE)
			turn(w, go, w->done[go] + 1, 0, false);
		while ((go = earliest(w, &m, threads, w->r->points[n.thread].times.at[nth - 1])) != NO_NODE)
			turn(w, go, w->done[go] + 1, 0, false);
		turn(w, n.thread, nth, point_kind(w, &n), false);
		m.next[n.thread].count--;
		set_free(&m, until, n.thread);
	}
	while ((go = earliest(w, &m, threads, UINT64_MAX)) != NO_NODE)
		turn(w, go, w->done[go] + 1, 0, false);
	for (uint32_t t = 0; t < threads; t++)
		vec_release(&m.next[t]);
	mem_free(m.free);
	mem_free(m.next);
}

/* Which points the moments want their threads in front of: their own, or, where a node must not happen yet, that. */
static void wanted(const struct writer *w, const struct aim *aim, uint32_t order, const uint32_t *done, uint64_t *until)
{
	if (aim->kind == AIM_LATE) {
		const struct moment *stop = goes_to(aim, order), *other = &aim->at[LATE_OTHER];
		until[stop->spot.thread] = stop->nth;
		until[other->spot.thread] = other->nth - 1;
		return;
	}
	const struct moment *handled[] = { aim->behind ? &aim->at[0] : handled_before(aim), &aim->at[HANDLED_SENT] };
	for (uint32_t i = 0; i < (aim->kind == AIM_HANDLED ? 2 : aim->count); i++) {
		const struct moment *m = aim->kind == AIM_HANDLED ? handled[i] : &aim->at[i];
		uint32_t thread = m->spot.thread, next = order_at(w->r->order, (struct spot){ thread, done[thread] });
		bool first = i == 0 && (aim->kind == AIM_BETWEEN || (aim->kind == AIM_HANDLED && aim->behind)), after = aim->kind == AIM_TURN && i == 0 && turn_order(aim, order) == TURN_NEEDED;
		uint64_t nth = done[thread] == m->spot.at ? m->nth + first : done[thread] < m->spot.at && next != NO_NODE ? w->r->of_node[next] : 0;
		if (nth && !after && until[thread] < nth - 1)
			until[thread] = nth - 1;
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
		for (uint32_t i = 0; i < aim->count; i++)
			if (aim->at[i].queues)
				turn_through(w, &aim->at[i]);
		break;
	case AIM_TURN:
		if (turn_order(aim, way) != TURN_NEEDED)
			turn_before(w, &aim->at[0]);
		if (aim->denied)
			turn_before(w, &aim->at[1]);
		turn_through(w, &aim->at[1]);
		if (turn_order(aim, way) == TURN_CLOSE && w->nodes[aim->at[0].spot.thread] == aim->at[0].spot.at)
			turn_through(w, &aim->at[0]);
		break;
	case AIM_LATE:
		turn(w, aim->at[LATE_STORE].spot.thread, goes_to(aim, way)->nth, 0, false);
		turn_before(w, &aim->at[LATE_OTHER]);
		turn_through(w, &aim->at[LATE_OTHER]);
		if (aim->behind)
			turn(w, aim->at[LATE_OTHER].spot.thread, aim->at[LATE_OTHER].nth + aim->behind, 0, true);
		if (way % 2)
			turn(w, aim->at[LATE_STORE].spot.thread, goes_to(aim, way)->nth + 1, 0, true);
		break;
	case AIM_HANDLED:
		if (aim->behind)
			turn_through(w, &aim->at[0]);
		else
			turn_before(w, handled_before(aim));
		turn_before(w, &aim->at[HANDLED_SENT]);
		turn_through(w, &aim->at[HANDLED_SENT]);
		turn(w, handled_before(aim)->spot.thread, (aim->behind ? aim->at[0].nth : handled_before(aim)->nth - 1) + 1, 0, true);
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

/* Everything in front of the moments. */
static void lay_out(struct writer *w, const struct witness *witness, const struct aim *aim, uint32_t way)
{
	size_t threads = trace_thread_count(w->r->trace) + 1;
	uint64_t nth, *until = mem_take(threads * sizeof *until);
	if (way >= orders_of(aim)) {
		nodes(w, witness);
	} else {
		uint32_t *done = mem_take(threads * sizeof *done);
		for (uint32_t i = 0; i < witness->head + witness->count; i++) {
			struct order_node n = node_at(w, witness, i, &nth);
			if (!is_flush(w, &n))
				done[n.thread] = n.at + 1;
		}
		wanted(w, aim, way, done, until);
		merged_nodes(w, witness, until);
		mem_free(done);
	}
	mem_free(until);
}

/* What the witness says, then the moments. */
static void write_steps(struct schedule *out, const struct recording *r, struct order *order, const struct witness *witness, const struct aim *aim, uint32_t way)
{
	size_t threads = trace_thread_count(r->trace) + 1;
	struct writer w = { .out = out, .r = r, .order = order, .done = mem_take(threads * sizeof *w.done), .nodes = mem_take(threads * sizeof *w.nodes),
		.skip = aim->skip };
	schedule_init(out);
	out->fixed_addresses = true;
	for (uint32_t i = 1; i < trace_thread_count(r->trace); i++)
		schedule_thread_add(out, recording_path(r, i), "");
	lay_out(&w, witness, aim, way);
	moments(&w, aim, way % orders_of(aim));
	mem_free(w.done);
	mem_free(w.nodes);
}

enum order_answer script_make(struct schedule *out, const struct recording *r, const struct aim *aim, uint32_t way, FILE *explain)
{
	struct witness witness = { 0 };
	enum order_answer answer = aim->kind == AIM_LATE ? ask_late(r->order, aim, way % orders_of(aim), &witness, explain)
		: script_ask(r->order, aim, NULL, 0, &witness, explain);
	if (witness.guess)
		answer = ORDER_YES;             /* the run is to say */
	if (answer == ORDER_YES)
		write_steps(out, r, r->order, &witness, aim, way);
	order_witness_release(&witness);
	return answer;
}

enum order_answer script_make_keeping(struct schedule *out, const struct recording *r, struct order *order, const struct aim *aim, const struct order_read *reads,
	uint64_t budget, uint32_t way)
{
	struct witness witness = { 0 };
	enum order_answer answer = script_ask(order, aim, reads, budget, &witness, NULL);
	if (answer == ORDER_YES)
		write_steps(out, r, order, &witness, aim, orders_of(aim) + way);
	order_witness_release(&witness);
	return answer;
}
