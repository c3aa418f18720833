/* order/because.c -- which rules of two threads a piece of the must-order rests on, for refutations.
 *
 * Rows say that x comes before y, not why.  But where a row grew, at a node n, it grew by what n waited for: of the threads of which n knows more
 * than the node before it in its line, those whose latest known node no other of them knows are what n waited for itself (order/must.c: a row is
 * the greatest of the rows it learnt from, and of the places of their nodes).  So a path back from y to x is found row by row. */
#include "order/refute.h"

#include <stdlib.h>

#include "order/inside.h"

struct paths { const struct order *o; struct map seen; VEC(struct edge) edges; };

static const uint32_t *row_of(const struct order *o, uint32_t node) { return o->rows.at + (size_t)o->nodes.at[node].row * o->thread_count; }

/* The node by which n first knew of x, or one that did: what n itself waited for. */
static uint32_t source_of(const struct order *o, uint32_t n, uint32_t x)
{
	static const uint32_t nothing;
	const struct node *node = &o->nodes.at[n];
	const uint32_t *row = row_of(o, n), *before = node->at ? row_of(o, node_of(o, node->thread, node->at - 1)) : &nothing;
	uint32_t found = NONE;
	for (uint32_t u = 0; u < o->thread_count; u++) {
		if (u == node->thread || row[u] <= (node->at ? before[u] : 0))
			continue;
		uint32_t last = node_of(o, u, row[u] - 1);
		if (found == NONE ? last == x || must(o, x, last) : must(o, found, last)) {
			found = last;
			u = UINT32_MAX;                 /* does another know this one?  Begin anew */
		}
	}
	check(found != NONE);
	return found;
}

static void path_add(struct paths *p, uint32_t x, uint32_t y)
{
	const struct order *o = p->o;
	uint32_t line = o->nodes.at[x].thread;
	while (o->nodes.at[y].thread != line) {
		const struct node *end = &o->nodes.at[y];
		uint32_t low = 0, high = end->at;               /* the first of its line that knows x */
		while (low < high) {
			uint32_t middle = (low + high) / 2;
			if (must(o, x, node_of(o, end->thread, middle)))
				high = middle;
			else
				low = middle + 1;
		}
		uint32_t n = node_of(o, end->thread, low);
		bool fresh;
		y = source_of(o, n, x);
		map_put(&p->seen, (uint64_t)y << 32 | n, &fresh);
		if (fresh && o->nodes.at[y].thread % o->own_count != o->nodes.at[n].thread % o->own_count)
			*vec_add(&p->edges) = (struct edge){ y, n };
	}
}

static int by_line(const void *a, const void *b, void *order)
{
	const struct node *x = &((struct order *)order)->nodes.at[*(const uint32_t *)a], *y = &((struct order *)order)->nodes.at[*(const uint32_t *)b];
	return x->thread != y->thread ? (x->thread < y->thread ? -1 : 1) : (x->at > y->at) - (x->at < y->at);
}

static int by_number(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	return x->to != y->to ? (x->to < y->to ? -1 : 1) : (x->from > y->from) - (x->from < y->from);
}

void order_because(struct order *o, uint32_t *nodes, size_t count, void (*put)(void *with, uint32_t from, uint32_t to), void *with)
{
	struct paths p = { .o = o };
	if (count)
		qsort_r(nodes, count, sizeof *nodes, by_line, o);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++) {
			bool last = k + 1 == count || o->nodes.at[nodes[k + 1]].thread != o->nodes.at[nodes[k]].thread || !must(o, nodes[k + 1], nodes[i]);
			if (last && o->nodes.at[nodes[k]].thread != o->nodes.at[nodes[i]].thread && must(o, nodes[k], nodes[i]))
				path_add(&p, nodes[k], nodes[i]);       /* the latest of its line; those before it come before it */
		}
	if (p.edges.count)
		qsort(p.edges.at, p.edges.count, sizeof *p.edges.at, by_number);
	for (size_t i = 0; i < p.edges.count; i++)
		put(with, p.edges.at[i].from, p.edges.at[i].to);
	map_release(&p.seen);
	vec_release(&p.edges);
}
