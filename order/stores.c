/* order/stores.c -- stores that wait as nodes: for questions about values under TSO or PSO, one of the two.
 *
 * A store that was noted as an access has, as a release has in buffer.c, a second node: its FLUSH, at which it is in memory.  FLUSHes lie in
 * lines of their own, *chains*, behind those of the releases, as many for each thread as the thread that needs most of them.
 *   (1) FLUSHes of one chain keep their order: a store goes to a chain whose last store it cannot overtake.  TSO: there is one chain;
 *   (2) a FLUSH comes after the store was made, after what it cannot overtake (TSO: every release before it; PSO: the last release fence, the last
 *       store to each of its bytes), and before the next release of its thread reaches memory or the next node that empties the buffer;
 *   (3) under PSO a store that is no access but overlaps one that is becomes a node too, or what is behind it would not be behind both.
 * Beyond CHAINS_MOST chains, and for stores longer than is looked at, more is put in order than must be; `overordered` says so, and no question is answered NO. */
#include "order/note.h"

#define CHAINS_MOST 16u
#define BYTES_MOST  65536u

static uint64_t byte_key(const struct event *ev, uint64_t i) { return (uint64_t)ev->thread.i << 48 ^ (ev->object + i); }
static uint32_t chain_line(const struct order *o, uint32_t thread, uint32_t chain) { return (2 + chain) * o->own_count + thread; }

static uint32_t line_last(const struct order *o, uint32_t line)
{
	const struct thread_line *l = &o->threads[line];
	return l->node.count ? l->node.at[l->node.count - 1] : NONE;
}

void note_learn_stores(struct order *o, uint32_t thread, uint32_t line, bool *own)
{
	for (uint32_t i = 0; i < o->chains; i++) {
		uint32_t last = line_last(o, chain_line(o, thread, i));
		if (last != NONE)
			note_learn(o, line, last, own);
	}
}

/* ---- bytes ---- */

static bool is_torn(const struct order *o, uint32_t flush)
{
	const struct node *made = &o->nodes.at[o->nodes.at[flush].other];
	if (made->access == NONE)
		return made->kind != EV_ASTORE;         /* its size is not known any more */
	return o->accesses.at[made->access].torn || made->kind == EV_COPY;
}

/* The FLUSH of its thread's last store to the i-th byte; NONE. */
static uint32_t store_before(const struct order *o, const struct event *ev, uint64_t i)
{
	uint64_t *slot = o->store_index.count ? map_get(&o->store_index, byte_key(ev, i)) : NULL;
	return slot ? (uint32_t)*slot - 1 : NONE;
}

static void bytes_put(struct order *o, uint32_t flush, const struct event *ev)
{
	for (uint64_t i = 0; i < store_bytes(ev) && i < BYTES_MOST; i++)
		*map_put(&o->store_index, byte_key(ev, i), NULL) = flush + 1ull;
}

void note_store_released(struct order *o, uint32_t flush, const struct event *ev)
{
	if (o->model == ORDER_PSO && waits_in_buffer(ev))
		bytes_put(o, flush, ev);
}

bool note_store_met(const struct order *o, const struct event *ev)
{
	const struct node *newest = o->nodes.count ? &o->nodes.at[o->nodes.count - 1] : NULL;
	if (o->model != ORDER_PSO || (newest && newest->kind == EV_FLUSH && newest->key == 2 * ev->index + 1 && newest->thread % o->own_count == ev->thread.i))
		return false;                           /* it is a release */
	for (uint64_t i = 0; i < store_bytes(ev) && i < BYTES_MOST; i++)
		if (store_before(o, ev, i) != NONE)
			return true;
	return false;
}

/* ---- chains ---- */

/* One more line for each thread: rows are wider by that. */
static void chain_add(struct order *o)
{
	uint32_t was = o->thread_count, now = was + o->own_count;
	VEC(uint32_t) rows = { 0 };
	rows.room = (size_t)o->row_count * now + 1;
	rows.at = mem_take(rows.room * sizeof *rows.at);
	rows.count = (size_t)o->row_count * now;
	for (size_t r = 0; r < o->row_count; r++)
		for (uint32_t i = 0; i < was; i++)
			rows.at[r * now + i] = o->rows.at[r * was + i];
	mem_free(o->rows.at);
	o->rows.at = rows.at;
	o->rows.count = rows.count;
	o->rows.room = rows.room;
	o->threads = mem_resize(o->threads, (now + 1) * sizeof *o->threads);
	for (uint32_t i = was; i < now; i++)
		o->threads[i] = (struct thread_line){ .cwait = NONE, .release_fence = NONE };
	o->thread_count = now;
	o->chains++;
}

/* Is `last` in memory before this store is, in every run? */
static bool stays_behind(const struct order *o, uint32_t last, uint32_t made, const struct event *ev)
{
	uint32_t fence = o->threads[ev->thread.i].release_fence;
	if (last == NONE || o->model == ORDER_TSO || must(o, last, made) || (fence != NONE && must(o, last, fence)))
		return true;
	for (uint64_t i = 0; i < store_bytes(ev) && i < BYTES_MOST; i++)
		if (store_before(o, ev, i) == last)
			return true;
	return false;
}

static uint32_t chain_for(struct order *o, uint32_t made, const struct event *ev)
{
	uint32_t i = 0;
	while (i < o->chains && !stays_behind(o, line_last(o, chain_line(o, ev->thread.i, i)), made, ev))
		i++;
	if (i == CHAINS_MOST) {
		o->overordered = true;
		i = 0;
	}
	if (i == o->chains)
		chain_add(o);
	return chain_line(o, ev->thread.i, i);
}

/* PSO: the last fence, and those who wrote to its bytes.  One of them that comes word by word need not be there whole. */
static void learn_overlapped(struct order *o, uint32_t line, const struct event *ev, bool *own)
{
	uint32_t fence = o->threads[ev->thread.i].release_fence;
	if (fence != NONE)
		note_learn(o, line, fence, own);
	for (uint64_t i = 0; i < store_bytes(ev) && i < BYTES_MOST; i++) {
		uint32_t before = store_before(o, ev, i);
		if (before == NONE)
			continue;
		note_learn(o, line, before, own);
		o->overordered |= is_torn(o, before);
	}
}

void note_store(struct order *o, uint32_t node, const struct event *ev)
{
	uint32_t thread = ev->thread.i, line = chain_for(o, node, ev);
	const struct thread_line *t = &o->threads[thread];
	bool own = false, all = store_bytes(ev) > BYTES_MOST;
	note_learn(o, line, node, &own);
	if (o->model == ORDER_PSO)
		learn_overlapped(o, line, ev, &own);
	if ((o->model == ORDER_TSO || all) && t->marks.count)
		note_learn(o, line, t->marks.at[t->marks.count - 1].node, &own);
	if (o->model == ORDER_PSO && all) {
		note_learn_stores(o, thread, line, &own);
		o->overordered = true;
	}
	uint32_t flush = note_flush(o, line, node, ev);
	if (o->model == ORDER_PSO)
		bytes_put(o, flush, ev);
}
