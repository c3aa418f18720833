/* order/reads.c -- questions about values: can a read return another write's value, while the reads that matter return theirs?
 *
 * The read asked about stands at END: the prefix comes up to it, and what is in memory then is what it returns.  A write w1 of
 * another value, last before a read k that is kept, is what a completion may run into (search.h); the rule is
 *     k before w1, or some w2 of the right value between w1 and k, or k is not in the prefix
 * and, where k would find the first value and that is another one, some w2 of the right value before k.  All such rules
 * together say that k returns what it returned: byte by byte, so that accesses may overlap in part.
 * Under TSO and PSO "w1 before" is about when w1 is in memory, its FLUSH; but what the reader's own thread stored before is seen wherever it is:
 * a right w2 of its own needs to come behind w1 only, and a wrong w1 of its own cannot be too late for k.  A read finds the last, in the order
 * of memory, of what is there and what its thread has stored, and these clauses together say that it is a right one.
 * A value not recorded is taken for another one, and a no that stands on that is an unknown. */
#include <string.h>

#include "order/search.h"

/* One byte of a read: the node that reads (END: the one asked about; self: its own), its value or -1, and the write that is right whatever it
 * wrote; NONE: the first value is, if `first` says so. */
struct sought { uint32_t reader, self; uint64_t byte; int value; uint32_t source; bool first, only; const struct access *read; };

/* What lies there first, of all bytes a read reads; false: it is not known. */
static bool first_value(const struct order *o, const struct access *read, uint8_t value[16])
{
	for (uint32_t i = 0; i < read->size; i++) {
		const struct access_cell *c = access_cell(o, read->address + i);
		if (!c || !(c->first_known >> ((read->address + i) & 7) & 1))
			return false;
		value[i] = c->first[(read->address + i) & 7];
	}
	return true;
}

/* What the caller says of a read that may return something else. */
static enum order_fit fit_of(const struct search *s, const struct sought *x, uint32_t write)
{
	const struct order *o = s->order;
	const struct access *w = write == NONE ? NULL : &o->accesses.at[write];
	uint8_t first[16];
	const uint8_t *value = NULL;
	if (!x->read || !s->read->fits || x->read->size > sizeof first)
		return FIT_SAME;
	if (!w && first_value(o, x->read, first))
		value = first;
	if (w && w->wrote_known && w->address <= x->read->address && w->address + w->size >= x->read->address + x->read->size)
		value = w->wrote + (x->read->address - w->address);
	return s->read->fits(s->read->context, x->reader, w ? w->node : NO_NODE, value);
}

static bool is_right(struct search *s, const struct sought *x, uint32_t write)
{
	const struct order *o = s->order;
	if (write == NONE ? x->first : write == x->source)
		return true;
	enum order_fit fit = fit_of(s, x, write);
	if (fit != FIT_SAME)
		return fit == FIT_YES;
	if (write == NONE) {
		const struct access_cell *c = access_cell(o, x->byte);
		bool known = c && c->first_known >> (x->byte & 7) & 1;
		if (x->first || x->only)
			return x->first;
		s->guessed |= !known && x->value >= 0;
		return known && c->first[x->byte & 7] == x->value;
	}
	if (write == x->source || x->only)
		return write == x->source;
	int value = access_byte(&o->accesses.at[write], x->byte, true);
	s->guessed |= value < 0 && x->value >= 0;
	return value >= 0 && value == x->value;
}

/* A store of the reader's own thread, before it, that may wait: it is seen wherever it is. */
static bool is_own(const struct order *o, const struct sought *x, const struct access *a)
{
	return a->reaches != a->node && a->node < x->self && o->nodes.at[a->node].thread == o->nodes.at[x->self].thread;
}

/* `wrong` (NONE: the first value) is what the reader finds: the rule against it. */
static void clause_read(struct search *s, const struct sought *x, uint32_t wrong)
{
	const struct order *o = s->order;
	const struct access_cell *c = access_cell(o, x->byte);
	uint32_t w1 = wrong == NONE ? NONE : o->accesses.at[wrong].reaches;
	s->torn |= wrong != NONE && o->accesses.at[wrong].torn;
	clause_begin(s, RULE_READ, x->reader, w1)->byte = x->byte;
	if (x->reader != END)
		way_add(s, END, x->reader);
	if (wrong != NONE && !is_own(o, x, &o->accesses.at[wrong]))
		way_add(s, x->reader, w1);
	for (size_t i = 0; c && i < c->writes.count; i++) {
		const struct access *a = &o->accesses.at[c->writes.at[i]];
		if (a->node == x->reader || !access_covers(a, x->byte) || !is_right(s, x, c->writes.at[i]))
			continue;
		bool own = is_own(o, x, a);
		s->torn |= a->torn;
		if (!s->proof && ((w1 != NONE && must(o, a->reaches, w1)) || (x->reader != END && !own && must(o, x->reader, a->reaches))))
			continue;                       /* a refutation counts all ways */
		if (w1 == NONE)
			way_add(s, a->reaches, x->reader);
		else if (own)
			way_add(s, w1, a->reaches);
		else
			way_add_two(s, w1, a->reaches, x->reader);
	}
}

/* The write the reader finds, where the row has come to: its own that still waits, else the last in memory. */
static uint32_t found_in_row(struct search *s, const struct sought *x)
{
	const struct order *o = s->order;
	uint32_t own = o->model == ORDER_SC ? NONE : access_last_own(o, x->byte, x->self);
	if (own != NONE && !in_front(o, s->come, o->accesses.at[own].reaches))
		return own;
	const struct access_cell *c = access_cell(o, x->byte);
	const struct cell_now *now = c ? &s->now.at[c - o->cells.at] : NULL;
	unsigned in_cell = x->byte & 7;
	uint32_t last = !now || now->stamp != s->stamp ? NONE : now->bytes >> in_cell & 1 ? now->byte[in_cell] : now->whole;
	return last != NONE ? last : access_last_write(o, x->byte, s->cut);
}

/* The row has come to this write. */
static void write_now(struct search *s, uint32_t access)
{
	const struct access *a = &s->order->accesses.at[access];
	for (uint32_t i = 0; i < access_cells(a); i++) {
		struct cell_now *now = &s->now.at[s->order->written_cells.at[a->cell + i]];
		uint8_t bytes = access_in_cell(a, i);
		if (now->stamp != s->stamp || bytes == 0xff) {
			now->stamp = s->stamp;
			now->whole = bytes == 0xff ? access : NONE;
			now->bytes = 0;
		}
		now->bytes |= bytes == 0xff ? 0 : bytes;
		for (unsigned k = 0; bytes != 0xff && k < 8; k++)
			if (bytes >> k & 1)
				now->byte[k] = access;
	}
}

/* Nothing is written in the row yet. */
static void nothing_written(struct search *s)
{
	while (s->now.count < s->order->cells.count)
		vec_add(&s->now);
	if (++s->stamp)
		return;
	memset(s->now.at, 0, s->now.count * sizeof *s->now.at);         /* it has come round */
	s->stamp = 1;
}

static bool byte_kept(struct search *s, const struct sought *x)
{
	uint32_t last = found_in_row(s, x);
	if (is_right(s, x, last))
		return true;
	clause_read(s, x, last);
	return false;
}

static bool read_kept(struct search *s, const struct access *a)
{
	for (uint64_t byte = a->address; byte < a->address + a->size; byte++) {
		uint32_t source = access_last_write(s->order, byte, a->node);
		struct sought x = { a->node, a->node, byte, access_byte(a, byte, false), source, source == NONE, false, a };
		if (!byte_kept(s, &x))
			return false;
	}
	return true;
}

static bool asked_holds(struct search *s)
{
	const struct order_read *q = s->read;
	const struct order *o = s->order;
	if (q->read == NO_NODE)
		return true;
	for (uint32_t i = o->nodes.at[q->read].access; i < o->accesses.count && o->accesses.at[i].node == q->read; i++) {
		const struct access *a = &o->accesses.at[i];
		for (uint64_t byte = a->address; a->reads && byte < a->address + a->size; byte++) {
			struct sought x = { END, q->read, byte, q->value ? q->value[byte - a->address] : -1, NONE, false, !q->value, NULL };
			if (q->from != NO_NODE)
				x.source = access_write_of(o, q->from, byte);
			if (!q->value && x.source == NONE)
				continue;                       /* a byte the two do not share */
			if (!byte_kept(s, &x))
				return false;
		}
	}
	return true;
}

bool search_reads_hold(struct search *s)
{
	const struct order *o = s->order;
	const struct order_read *q = s->read;
	bool hold = true;
	nothing_written(s);
	memset(s->come, 0, o->thread_count * sizeof *s->come);
	front_at(o, s->come, s->cut);
	for (size_t i = 0; i < s->row.count; i++) {
		uint32_t id = s->row.at[i], made = o->nodes.at[id].kind == EV_FLUSH ? o->nodes.at[id].other : id;
		for (uint32_t k = o->nodes.at[made].access; k < o->accesses.count && o->accesses.at[k].node == made; k++) {
			const struct access *a = &o->accesses.at[k];
			if (a->reads && made == id && (!q->keeps || q->keeps(q->context, id)))
				hold &= read_kept(s, a);
			if (a->writes && a->reaches == id)
				write_now(s, k);
		}
		s->come[o->nodes.at[id].thread]++;
	}
	s->steps += s->row.count;
	return asked_holds(s) && hold;
}

uint32_t reads_before(const struct order *o, const struct order_read *q, struct edge *edge)
{
	if (q->from == NO_NODE)
		return 0;
	uint32_t reaches = node_reaches(o, q->from);
	*edge = (struct edge){ reaches, END };
	return reaches == q->from || q->from > q->read || o->nodes.at[q->from].thread != o->nodes.at[q->read].thread;
}

enum order_answer order_reads(struct order *o, const struct order_read *q, struct witness *witness, FILE *explain)
{
	check(o->sealed && q->read < o->nodes.count && o->nodes.at[q->read].access != NONE);
	check((q->from == NO_NODE) != !q->value && (q->from == NO_NODE || q->from < o->nodes.count));
	struct spot at = { o->nodes.at[q->read].thread, o->nodes.at[q->read].at };
	struct question question = { .reach = &at, .reach_count = 1, .limit = &at, .limit_count = 1, .witness = witness,
		.explain = explain, .budget = q->budget };
	struct edge before;
	uint32_t count = reads_before(o, q, &before);
	return ask_reads(o, &question, q, &before, count);
}

enum order_answer order_ask_keeping(struct order *o, const struct question *q, const struct order_read *reads)
{
	struct order_read kept = { .read = NO_NODE, .from = NO_NODE, .keeps = reads->keeps, .fits = reads->fits, .context = reads->context, .bold = reads->bold };
	return ask_reads(o, q, &kept, NULL, 0);
}
