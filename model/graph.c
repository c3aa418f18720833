/* model/graph.c -- dominators by intersecting paths in the tree until nothing changes (Cooper, Harvey and Kennedy), which is linear
 * in practice on graphs of programs; strongly connected components by Tarjan's one walk, without recursion. */
#include "model/graph.h"

#include <string.h>

#include "base/err.h"
#include "base/vec.h"

#define NOWHERE UINT32_MAX

void graph_make(struct graph *g, uint32_t count, const struct graph_edge *edges, uint32_t edge_count)
{
	g->count = count;
	g->at = mem_take((count + 2ul) * sizeof *g->at);
	g->next = mem_take((edge_count + 1ul) * sizeof *g->next);
	for (uint32_t i = 0; i < edge_count; i++) {
		check(edges[i].from < count && edges[i].to < count);
		g->at[edges[i].from + 2]++;
	}
	for (uint32_t n = 2; n <= count; n++)
		g->at[n] += g->at[n - 1];
	for (uint32_t i = 0; i < edge_count; i++)
		g->next[g->at[edges[i].from + 1]++] = edges[i].to;
}

void graph_reverse(struct graph *into, const struct graph *g)
{
	uint32_t edge_count = g->at[g->count], used = 0;
	struct graph_edge *edges = mem_take((edge_count + 1ul) * sizeof *edges);
	for (uint32_t n = 0; n < g->count; n++)
		for (uint32_t i = g->at[n]; i < g->at[n + 1]; i++)
			edges[used++] = (struct graph_edge){ g->next[i], n };
	graph_make(into, g->count, edges, used);
	mem_free(edges);
}

void graph_release(struct graph *g)
{
	mem_free(g->at);
	mem_free(g->next);
	*g = (struct graph){ 0 };
}

/* rank[n]: when a walk from root is done with n, from 1; order[]: the nodes by falling rank.  How many were reached. */
static uint32_t rank_nodes(const struct graph *g, uint32_t root, uint32_t *rank, uint32_t *order)
{
	VEC(struct graph_edge) stack = { 0 };           /* node, its next edge */
	uint32_t done = 0;
	bool *seen = mem_take(g->count);
	seen[root] = true;
	vec_push(&stack, ((struct graph_edge){ root, g->at[root] }));
	while (stack.count) {
		struct graph_edge *top = &stack.at[stack.count - 1];
		if (top->to == g->at[top->from + 1]) {
			rank[top->from] = ++done;
			order[g->count - done] = top->from;
			stack.count--;
			continue;
		}
		uint32_t next = g->next[top->to++];
		if (!seen[next]) {
			seen[next] = true;
			vec_push(&stack, ((struct graph_edge){ next, g->at[next] }));
		}
	}
	memmove(order, order + (g->count - done), done * sizeof *order);
	vec_release(&stack);
	mem_free(seen);
	return done;
}

static uint32_t meet(const uint32_t *above, const uint32_t *rank, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (rank[a] < rank[b])
			a = above[a];
		while (rank[b] < rank[a])
			b = above[b];
	}
	return a;
}

void graph_dominators(const struct graph *g, uint32_t root, uint32_t *above)
{
	struct graph back;
	uint32_t *rank = mem_take(g->count * sizeof *rank), *order = mem_take(g->count * sizeof *order);
	uint32_t reached = rank_nodes(g, root, rank, order);
	graph_reverse(&back, g);
	for (uint32_t n = 0; n < g->count; n++)
		above[n] = NOWHERE;
	above[root] = root;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = 1; k < reached; k++) {
			uint32_t n = order[k], best = NOWHERE;
			for (uint32_t i = back.at[n]; i < back.at[n + 1]; i++)
				if (above[back.next[i]] != NOWHERE)
					best = best == NOWHERE ? back.next[i] : meet(above, rank, best, back.next[i]);
			if (above[n] != best)
				above[n] = best, changed = true;
		}
	}
	graph_release(&back);
	mem_free(rank);
	mem_free(order);
}

struct walk { uint32_t *low, *index, *open, open_count, clock, components; };

static void close_component(struct walk *w, uint32_t n, uint32_t *component)
{
	if (w->low[n] != w->index[n])
		return;
	for (uint32_t top = NOWHERE; top != n;) {
		top = w->open[--w->open_count];
		component[top] = w->components;
		w->index[top] = NOWHERE;                /* closed: no longer lowers anybody */
	}
	w->components++;
}

uint32_t graph_components(const struct graph *g, uint32_t *component)
{
	struct walk w = { mem_take((g->count + 1ul) * 4), mem_take((g->count + 1ul) * 4), mem_take((g->count + 1ul) * 4), 0, 0, 0 };
	VEC(struct graph_edge) stack = { 0 };
	for (uint32_t root = 0; root < g->count; root++) {
		if (!w.index[root])
			vec_push(&stack, ((struct graph_edge){ root, g->at[root] }));
		while (stack.count) {
			struct graph_edge *top = &stack.at[stack.count - 1];
			uint32_t n = top->from;
			if (!w.index[n]) {
				w.index[n] = w.low[n] = ++w.clock;
				w.open[w.open_count++] = n;
			}
			if (top->to < g->at[n + 1]) {
				uint32_t next = g->next[top->to++];
				if (!w.index[next])
					vec_push(&stack, ((struct graph_edge){ next, g->at[next] }));
				else if (w.index[next] < w.low[n])
					w.low[n] = w.index[next];
				continue;
			}
			close_component(&w, n, component);
			stack.count--;
			if (stack.count && w.low[n] < w.low[stack.at[stack.count - 1].from])
				w.low[stack.at[stack.count - 1].from] = w.low[n];
		}
	}
	vec_release(&stack);
	mem_free(w.low);
	mem_free(w.index);
	mem_free(w.open);
	return w.components;
}
