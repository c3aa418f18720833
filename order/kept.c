/* order/kept.c -- what comes before what as long as every read returns what it returned: rows like those of must.c, one pass for all questions.
 *
 * Questions in which all reads are kept are asked by the thousand where a recording has much in it that may race, and most have the same few reads against them.  Their no is
 * nearly always one of order: what a thread has to have read to be where it is was written behind what is asked for.  That is found once, for all nodes:
 *   (1) a node comes behind what it must (must.c), and all that comes before that;
 *   (2) a read comes behind one of the writes it may have its byte from: behind what comes before all of them.  Those are the write observed and all others of the same
 *       value (one not recorded is another), but for writes that come behind the read, and those another write comes behind that is itself before the read;
 *   (3) a wait that was signalled ends behind one of the signals that can have come in it, in the same way;
 *   (4) what is in a section of a lock and behind something of another one, which cannot overlap it, is behind all of that.  Not so the beginning of its own section: an order may
 *       end between the two, and then the other section may come later, or never.
 * Each says of every order that keeps its reads and has the node in it what else is in it, before the node.  So rows are lower bounds: what is not found loses a no, nothing else.  The observed order
 * keeps all of it, so no row has a node that was observed later.  Writes and signals that were observed later may be among those of (2) and (3): there are some passes, until nothing is new.
 * Cost of a pass: nodes x threads, and for a read of another thread's write those to the same 8 bytes; STEPS_MOST in all.  Memory: a row where one is new. */
#include <string.h>

#include "order/inside.h"

#define PASSES_MOST     6u
#define STEPS_MOST      (1ull << 28)
#define ROWS_MOST       (1ull << 24)    /* entries of all rows */
#define BYTES_MOST      4096u           /* of an access that are looked at */

enum by { BY_MUST, BY_READ, BY_SIGNAL, BY_LOCK };

struct kept {
	struct order *order;
	uint32_t width;
	VEC(uint32_t) rows;
	uint32_t *row_of;               /* by node, number in rows */
	uint8_t *by;                    /* by node, what its row has that its thread's did not: the last rule that gave some */
	uint32_t *cur, *meet;           /* the row of the node at hand; of several, what all have */
	uint64_t steps;
	bool news;
};

static const uint32_t *row_of(const struct kept *k, uint32_t node)
{
	return k->rows.at + (size_t)k->row_of[node] * k->width;
}

/* Is x before a node of this thread with this row? */
static bool is_before(const struct kept *k, uint32_t x, const struct node *y, const uint32_t *row)
{
	const struct node *n = &k->order->nodes.at[x];
	return n->thread == y->thread ? n->at < y->at : row[n->thread] > n->at;
}

/* What is behind `node` has all it has, and it. */
static bool join(struct kept *k, uint32_t self, uint32_t node)
{
	const uint32_t *from = row_of(k, node);
	const struct node *n = &k->order->nodes.at[node];
	bool grown = false;
	k->steps += k->width;
	for (uint32_t t = 0; t < k->width; t++) {
		uint32_t have = t == n->thread ? n->at + 1 : from[t];
		if (t != self && have > k->cur[t]) {
			k->cur[t] = have;
			grown = true;
		}
	}
	return grown;
}

static void meet(struct kept *k, uint32_t node, bool first)
{
	const uint32_t *from = row_of(k, node);
	const struct node *n = &k->order->nodes.at[node];
	k->steps += k->width;
	for (uint32_t t = 0; t < k->width; t++) {
		uint32_t have = t == n->thread ? n->at + 1 : from[t];
		if (first || have < k->meet[t])
			k->meet[t] = have;
	}
}

/* Is there anything in what all have that is new? */
static bool met_more(const struct kept *k, uint32_t self)
{
	for (uint32_t t = 0; t < k->width; t++)
		if (t != self && k->meet[t] > k->cur[t])
			return true;
	return false;
}

static bool join_met(struct kept *k, uint32_t self)
{
	bool grown = false;
	for (uint32_t t = 0; t < k->width; t++)
		if (t != self && k->meet[t] > k->cur[t]) {
			k->cur[t] = k->meet[t];
			grown = true;
		}
	return grown;
}

/* ---- what a node is behind ---- */

static bool behind_must(struct kept *k, uint32_t node, uint32_t before)
{
	const struct order *o = k->order;
	const struct node *n = &o->nodes.at[node];
	const uint32_t *row = o->rows.at + (size_t)n->row * k->width;
	const uint32_t *old = before == NONE ? NULL : o->rows.at + (size_t)o->nodes.at[before].row * k->width;
	bool grown = false;
	for (uint32_t t = 0; t < k->width && row != old; t++)
		if (t != n->thread && row[t] > (old ? old[t] : 0))
			grown |= join(k, n->thread, node_of(o, t, row[t] - 1));
	return grown;
}

/* Another write between this one and the read, in every order? */
static bool is_covered(struct kept *k, const struct access_cell *c, uint64_t byte, uint32_t write, const struct node *reader)
{
	const struct order *o = k->order;
	for (size_t i = c->writes.count; i-- > 0;) {
		const struct access *a = &o->accesses.at[c->writes.at[i]];
		k->steps++;
		if (a->node != write && access_covers(a, byte) && is_before(k, a->node, reader, k->cur) && is_before(k, write, &o->nodes.at[a->node], row_of(k, a->node)))
			return true;
	}
	return false;
}

/* Could the byte be there first, and nobody have written it? */
static bool may_be_first(struct kept *k, const struct access_cell *c, uint64_t byte, int value, const struct node *reader)
{
	const struct order *o = k->order;
	if (value < 0 || !(c->first_known >> (byte & 7) & 1) || c->first[byte & 7] != value)
		return false;
	for (size_t i = 0; i < c->writes.count; i++) {
		const struct access *a = &o->accesses.at[c->writes.at[i]];
		k->steps++;
		if (access_covers(a, byte) && is_before(k, a->node, reader, k->cur))
			return false;
	}
	return true;
}

static bool behind_byte(struct kept *k, const struct access *read, uint64_t byte, uint32_t source)
{
	const struct order *o = k->order;
	const struct node *n = &o->nodes.at[read->node];
	const struct access_cell *c = access_cell(o, byte);
	int value = access_byte(read, byte, false);
	meet(k, o->accesses.at[source].node, true);
	if (may_be_first(k, c, byte, value, n))
		return false;
	for (size_t i = c->writes.count; value >= 0 && i-- > 0 && met_more(k, n->thread);) {
		const struct access *a = &o->accesses.at[c->writes.at[i]];
		k->steps++;
		if (c->writes.at[i] == source || a->node == read->node || !access_covers(a, byte) || access_byte(a, byte, true) != value)
			continue;
		if (is_before(k, read->node, &o->nodes.at[a->node], row_of(k, a->node)))
			continue;                       /* it comes behind the read */
		if (!is_covered(k, c, byte, a->node, n))
			meet(k, a->node, false);
	}
	return join_met(k, n->thread);
}

static bool behind_read(struct kept *k, const struct access *read)
{
	const struct order *o = k->order;
	uint32_t thread = o->nodes.at[read->node].thread, last = NONE;
	bool grown = false;
	for (uint64_t byte = read->address; byte < read->address + read->size && byte < read->address + BYTES_MOST && k->steps < STEPS_MOST; byte++) {
		uint32_t source = access_last_write(o, byte, read->node);
		k->steps++;
		if (source == NONE || o->nodes.at[o->accesses.at[source].node].thread == thread || (source == last && access_byte(read, byte, false) < 0))
			continue;
		last = source;
		meet(k, o->accesses.at[source].node, true);
		if (met_more(k, thread))
			grown |= behind_byte(k, read, byte, source);
	}
	return grown;
}

static bool behind_reads(struct kept *k, uint32_t node)
{
	const struct order *o = k->order;
	bool grown = false;
	for (uint32_t i = o->nodes.at[node].access; i < o->accesses.count && o->accesses.at[i].node == node; i++)
		if (o->accesses.at[i].reads)
			grown |= behind_read(k, &o->accesses.at[i]);
	return grown;
}

static bool behind_signal(struct kept *k, uint32_t wake)
{
	const struct order *o = k->order;
	const struct node *n = &o->nodes.at[wake];
	bool first = true;
	if (n->op != OP_CWAKE || n->other == NONE)
		return false;
	const struct cond *c = &o->conds.at[n->object];
	for (size_t i = 0; i < c->nodes.count && k->steps < STEPS_MOST; i++) {
		uint32_t s = c->nodes.at[i];
		const struct node *by = &o->nodes.at[s];
		k->steps++;
		if ((by->op != OP_SIGNAL && by->op != OP_BROADCAST) || by->thread == n->thread || is_before(k, s, &o->nodes.at[n->other], row_of(k, n->other)) || is_before(k, wake, by, row_of(k, s)))
			continue;
		meet(k, s, first);
		first = false;
	}
	return !first && k->steps < STEPS_MOST && join_met(k, n->thread);
}

/* Sections this node is in, and those its row has something of. */
static bool behind_sections(struct kept *k, uint32_t node)
{
	const struct order *o = k->order;
	uint32_t thread = o->nodes.at[node].thread;
	bool grown = false;
	for (uint32_t h = o->nodes.at[node].held; h; h = o->helds.at[h].next) {
		const struct section *in = &o->sections.at[o->helds.at[h].section];
		const struct lock *l = &o->locks.at[in->lock];
		for (size_t u = 0; u < l->users.count && !section_left(o, in, node); u++) {
			uint32_t user = l->users.at[u].thread, s = user == thread ? NONE : last_begun(o, in->lock, &l->users.at[u], k->cur[user], in->shared);
			const struct section *other = s == NONE ? NULL : &o->sections.at[s];
			k->steps++;
			if (!other || other->give == NONE || is_before(k, other->give, &o->nodes.at[node], k->cur) || other->give > in->take)
				continue;
			grown |= join(k, thread, other->give);
		}
	}
	return grown;
}

/* ---- all of them ---- */

static void keep_row(struct kept *k, uint32_t node, uint32_t before)
{
	size_t bytes = k->width * sizeof *k->cur;
	const uint32_t *own = row_of(k, node);
	if (before != NONE && !memcmp(row_of(k, before), k->cur, bytes)) {
		k->row_of[node] = k->row_of[before];
		return;
	}
	if (!memcmp(own, k->cur, bytes))
		return;
	k->news = true;
	k->row_of[node] = (uint32_t)(k->rows.count / k->width);
	for (uint32_t t = 0; t < k->width; t++)
		vec_push(&k->rows, k->cur[t]);
}

static void look_at_node(struct kept *k, uint32_t node)
{
	const struct order *o = k->order;
	const struct node *n = &o->nodes.at[node];
	uint32_t before = n->at ? node_of(o, n->thread, n->at - 1) : NONE;
	const uint32_t *old = row_of(k, node), *from = before == NONE ? old : row_of(k, before);
	bool grown = false;
	k->steps += k->width;
	for (uint32_t t = 0; t < k->width; t++) {
		k->cur[t] = old[t] > from[t] ? old[t] : from[t];
		grown |= before != NONE && old[t] > from[t];
	}
	enum by by = (enum by)k->by[node];
	if (behind_must(k, node, before))
		grown = true;
	if (behind_reads(k, node)) {
		grown = true;
		by = BY_READ;
	}
	if (behind_signal(k, node)) {
		grown = true;
		by = BY_SIGNAL;
	}
	if ((grown || n->op == OP_TAKE || n->op == OP_CWAKE) && behind_sections(k, node))
		by = by == BY_MUST ? BY_LOCK : by;
	k->by[node] = (uint8_t)by;
	keep_row(k, node, before);
}

void kept_free(struct kept *k)
{
	if (!k)
		return;
	vec_release(&k->rows);
	mem_free(k->row_of);
	mem_free(k->by);
	mem_free(k->cur);
	mem_free(k->meet);
	mem_free(k);
}

static struct kept *kept_rows(struct order *o)
{
	if (o->kept || o->model != ORDER_SC || o->weak)
		return o->kept;
	struct kept *k = o->kept = mem_take(sizeof *k);
	k->order = o;
	k->width = o->thread_count;
	k->row_of = mem_take((o->nodes.count + 1) * sizeof *k->row_of);
	k->by = mem_take(o->nodes.count + 1);
	k->cur = mem_take((k->width + 1) * sizeof *k->cur);
	k->meet = mem_take((k->width + 1) * sizeof *k->meet);
	for (uint32_t t = 0; t < k->width; t++)
		vec_push(&k->rows, 0);
	k->news = true;
	for (uint32_t pass = 0; pass < PASSES_MOST && k->news; pass++) {
		k->news = false;
		for (uint32_t n = 0; n < o->nodes.count && k->steps < STEPS_MOST && k->rows.count < ROWS_MOST; n++)
			look_at_node(k, n);
	}
	o->spent += k->steps;
	return k;
}

/* ---- in words ---- */

/* The first node of its thread, up to this one, whose row has that spot. */
static uint32_t first_with(const struct kept *k, uint32_t node, struct spot passed)
{
	const struct order *o = k->order;
	const struct thread_line *t = &o->threads[o->nodes.at[node].thread];
	size_t low = 0, high = o->nodes.at[node].at;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (row_of(k, t->node.at[middle])[passed.thread] > passed.at)
			high = middle;
		else
			low = middle + 1;
	}
	return t->node.at[low];
}

/* Of what comes before this node by must-order, one that has it. */
static uint32_t must_with(const struct kept *k, uint32_t node, struct spot passed)
{
	const struct order *o = k->order;
	const uint32_t *row = o->rows.at + (size_t)o->nodes.at[node].row * k->width;
	for (uint32_t t = 0; t < k->width; t++)
		if (t != o->nodes.at[node].thread && t != passed.thread && row[t] && row_of(k, node_of(o, t, row[t] - 1))[passed.thread] > passed.at)
			return node_of(o, t, row[t] - 1);
	return NONE;
}

static void say_why(const struct kept *k, uint32_t node, struct spot passed, FILE *out)
{
	static const char *const rules[] = { "", "a read returns what was written last", "a wait ends when it is signalled", "sections of a lock do not overlap" };
	uint32_t by = NONE;
	for (uint32_t at = node, steps = 0; at != NONE && by == NONE && steps < k->width; steps++) {
		uint32_t first = first_with(k, at, passed);
		if (k->by[first] != BY_MUST)
			by = first;
		at = must_with(k, first, passed);
	}
	fprintf(out, "  %s: ", by == NONE ? "reads, locks and signals" : rules[k->by[by]]);
	if (by != NONE) {
		node_explain(k->order, by, out);
		fputs(" comes behind ", out);
	}
	node_explain(k->order, node_of(k->order, passed.thread, passed.at), out);
	fputs("\n", out);
}

bool order_kept_apart(struct order *o, const struct question *q, FILE *explain)
{
	struct kept *k = kept_rows(o);
	if (!k || !ask_no_counts(o))
		return false;
	for (uint32_t i = 0; i < q->reach_count; i++) {
		uint32_t last = q->reach[i].at ? node_of(o, q->reach[i].thread, q->reach[i].at - 1) : NONE;
		for (uint32_t j = 0; last != NONE && j < q->limit_count; j++)
			if (q->limit[j].thread != q->reach[i].thread && row_of(k, last)[q->limit[j].thread] > q->limit[j].at) {
				if (explain)
					say_why(k, last, q->limit[j], explain);
				return true;
			}
	}
	return false;
}
