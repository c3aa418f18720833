/* order/choose.c -- many clauses at once: solve.c chooses a way for each, a completion shows whether that is enough. */
#include <stdio.h>
#include <stdlib.h>

#include "order/search.h"
#include "order/solve.h"

#define ROUNDS 300u             /* choices it is asked for before the question is given up */

struct ends { VEC(uint32_t) nodes; struct map number; };        /* nodes that edges and ways name, rising; END last */

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static void end_add(struct ends *e, struct edge edge)
{
	bool fresh;
	map_put(&e->number, edge.from, &fresh);
	if (fresh)
		vec_push(&e->nodes, edge.from);
	map_put(&e->number, edge.to, &fresh);
	if (fresh)
		vec_push(&e->nodes, edge.to);
}

static void ends_find(struct search *s, struct ends *e)
{
	for (size_t i = 0; i < s->edges.count; i++)
		end_add(e, s->edges.at[i]);
	for (size_t i = 0; i < s->ways.count; i++)
		for (uint32_t k = 0; k < s->ways.at[i].count; k++)
			end_add(e, s->ways.at[i].edge[k]);
	if (e->nodes.count)
		qsort(e->nodes.at, e->nodes.count, sizeof *e->nodes.at, by_number);
}

static uint32_t end_number(const struct ends *e, uint32_t node) { return (uint32_t)*map_get(&e->number, node); }

/* The ends on their threads, and of every other thread the last that must come before each. */
static void ends_lay(struct search *s, struct ends *e, struct solve *solve)
{
	const struct order *o = s->order;
	uint32_t *last = mem_take((o->thread_count + 1) * sizeof *last);        /* of each thread so far, + 1 */
	uint32_t *before = mem_take((e->nodes.count + 1) * sizeof *before);     /* the end before it on its thread, + 1 */
	for (uint32_t i = 0; i < e->nodes.count; i++) {
		uint32_t id = e->nodes.at[i];
		const struct node *n = id == END ? NULL : &o->nodes.at[id];
		*map_get(&e->number, id) = solve_node(solve, n ? n->thread : o->thread_count);
		if (!n)
			continue;
		for (uint32_t t = 0; t < o->thread_count; t++) {
			uint32_t x = t == n->thread ? 0 : last[t];
			while (x && !must(o, e->nodes.at[x - 1], id))
				x = before[x - 1];
			if (x)
				solve_edge(solve, x - 1, i);
		}
		before[i] = last[n->thread];
		last[n->thread] = i + 1;
	}
	mem_free(last);
	mem_free(before);
}

/* One choice of ways for all clauses there are; their edges are added. */
static enum solved choose(struct search *s)
{
	struct ends e = { 0 };
	struct solve *solve = solve_new(s->order->thread_count + 1);
	ends_find(s, &e);
	ends_lay(s, &e, solve);
	for (size_t i = 0; i < s->edges.count; i++)
		solve_edge(solve, end_number(&e, s->edges.at[i].from), end_number(&e, s->edges.at[i].to));
	for (size_t c = 0; c < s->clauses.count; c++) {
		solve_clause(solve);
		for (uint32_t i = s->clauses.at[c].first; i < s->clauses.at[c].first + s->clauses.at[c].count; i++) {
			const struct way *w = &s->ways.at[i];
			uint32_t number = solve_way(solve, end_number(&e, w->edge[0].from), end_number(&e, w->edge[0].to));
			check(number == i);
			if (w->count == 2)
				solve_way_more(solve, end_number(&e, w->edge[1].from), end_number(&e, w->edge[1].to));
		}
	}
	s->steps += s->edges.count + s->ways.count;
	proof_clear(s->proof);
	solve_keep(solve, s->proof);
	solve_watch(solve, s->order->goes_on, s->order->goes_with);
	enum solved answer = solve_run(solve, 0);
	s->steps += solve_work(solve);
	for (uint32_t i = 0; answer == SOLVED_YES && i < s->ways.count; i++)
		for (uint32_t k = 0; k < s->ways.at[i].count && solve_holds(solve, i); k++) {
			vec_push(&s->edges, s->ways.at[i].edge[k]);
			vec_push(&s->reasons, NONE);
		}
	solve_free(solve);
	map_release(&e.number);
	vec_release(&e.nodes);
	return answer;
}

enum order_answer search_by_solver(struct search *s, size_t given)
{
	s->by_solver = true;
	for (uint32_t round = 0; round < ROUNDS && !order_stopped(s->order); round++) {
		s->edges.count = s->reasons.count = given;
		enum solved answer = choose(s);
		if (answer != SOLVED_YES) {
			if (answer == SOLVED_NO && s->explain)
				fprintf(s->explain, "  %zu rules of locks, semaphores and conditions: no choice satisfies all\n", s->clauses.count);
			return answer == SOLVED_NO ? ORDER_NO : ORDER_UNKNOWN;
		}
		if (search_lay(s))
			return ORDER_YES;
	}
	return ORDER_UNKNOWN;
}
