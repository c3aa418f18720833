/* tests/unit/model_flow.c -- dominators, components and control dependence against their definitions, on random graphs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/flow.h"
#include "model/graph.h"

#define NODES 12
#define ROUNDS 4000

static uint64_t state_of_dice = 0x9e3779b97f4a7c15ull;
static uint32_t dice(uint32_t below)
{
	state_of_dice ^= state_of_dice << 13;
	state_of_dice ^= state_of_dice >> 7;
	state_of_dice ^= state_of_dice << 17;
	return (uint32_t)(state_of_dice >> 33) % below;
}

/* Can `to` be reached from `from` without entering `without`? */
static bool reaches(const struct graph *g, uint32_t from, uint32_t to, uint32_t without)
{
	uint32_t stack[NODES + 2], depth = 0;
	bool seen[NODES + 2] = { false };
	if (from == without)
		return false;
	seen[from] = true;
	stack[depth++] = from;
	while (depth) {
		uint32_t n = stack[--depth];
		if (n == to)
			return true;
		for (uint32_t i = g->at[n]; i < g->at[n + 1]; i++)
			if (g->next[i] != without && !seen[g->next[i]]) {
				seen[g->next[i]] = true;
				stack[depth++] = g->next[i];
			}
	}
	return false;
}

/* a is on every way from root to b: without it there is none. */
static bool dominates(const struct graph *g, uint32_t root, uint32_t a, uint32_t b)
{
	return a == b || !reaches(g, root, b, a);
}

static void random_graph(struct graph *g, uint32_t *count)
{
	struct graph_edge edges[3 * NODES];
	uint32_t edge_count = dice(3 * NODES);
	*count = 1 + dice(NODES);
	for (uint32_t i = 0; i < edge_count; i++)
		edges[i] = (struct graph_edge){ dice(*count), dice(*count) };
	graph_make(g, *count, edges, edge_count);
}

/* By the tree: is a above b, or b itself? */
static bool is_above(const uint32_t *above, uint32_t a, uint32_t b)
{
	while (b != a && above[b] != b)
		b = above[b];
	return b == a;
}

static void dominators_are_those_of_the_definition(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct graph g;
		uint32_t count, above[NODES];
		random_graph(&g, &count);
		graph_dominators(&g, 0, above);
		for (uint32_t b = 0; b < count; b++) {
			assert_int_equal(above[b] != UINT32_MAX, reaches(&g, 0, b, UINT32_MAX));
			for (uint32_t a = 0; above[b] != UINT32_MAX && a < count; a++)
				if (above[a] != UINT32_MAX)
					assert_int_equal(is_above(above, a, b), dominates(&g, 0, a, b));
		}
		graph_release(&g);
	}
}

static void components_are_those_of_the_definition(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct graph g;
		uint32_t count, component[NODES];
		random_graph(&g, &count);
		uint32_t components = graph_components(&g, component);
		for (uint32_t a = 0; a < count; a++) {
			assert_true(component[a] < components);
			for (uint32_t b = 0; b < count; b++) {
				bool there = reaches(&g, a, b, UINT32_MAX), back = reaches(&g, b, a, UINT32_MAX);
				assert_int_equal(component[a] == component[b], there && back);
				if (there)
					assert_true(component[b] <= component[a]);
			}
		}
		graph_release(&g);
	}
}

/* A function of blocks with these edges and one instruction each. */
static void make_function(struct code *c, uint32_t count, const struct graph *g)
{
	memset(c, 0, sizeof *c);
	vec_push(&c->functions, ((struct function){ .flags = FUNCTION_DEFINED, .block_count = count }));
	for (uint32_t n = 0; n < count; n++) {
		vec_push(&c->blocks, ((struct block){ 0, n, 1, (uint32_t)c->next.count, g->at[n + 1] - g->at[n] }));
		for (uint32_t i = g->at[n]; i < g->at[n + 1]; i++)
			vec_push(&c->next, g->next[i]);
	}
}

/* b hangs on a: one way out of a always comes to b, another way need not, where a round of a loop may be the last. */
static bool hangs_on(const struct flow *f, uint32_t b, uint32_t a)
{
	if (a != b && dominates(&f->back, f->exit, b, a))
		return false;
	for (uint32_t i = f->next.at[a]; i < f->next.at[a + 1]; i++)
		if (f->next.next[i] != f->exit && dominates(&f->back, f->exit, b, f->next.next[i]))
			return true;
	return false;
}

static void control_is_that_of_the_definition(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct graph g;
		struct code c;
		struct flow f;
		uint32_t count;
		random_graph(&g, &count);
		make_function(&c, count, &g);
		flow_make(&f, &c, 0, NULL, NULL);
		for (uint32_t b = 0; b < count; b++) {
			assert_true(reaches(&f.next, b, f.exit, UINT32_MAX));
			for (uint32_t a = 0; a < count; a++) {
				bool found = false;
				for (uint32_t i = f.control.at[b]; i < f.control.at[b + 1]; i++)
					found |= f.control.next[i] == a;
				assert_int_equal(found, hangs_on(&f, b, a));
			}
		}
		flow_release(&f);
		code_release(&c);
		graph_release(&g);
	}
}

/* 0: while (1: c) 2: body;  3: behind it.  What is behind a loop hangs on the loop's coming to its end. */
static void what_follows_a_loop_hangs_on_it(void **state)
{
	static const struct graph_edge edges[] = { { 0, 1 }, { 1, 2 }, { 1, 3 }, { 2, 1 } };
	struct graph g;
	struct code c;
	struct flow f;
	(void)state;
	graph_make(&g, 4, edges, 4);
	make_function(&c, 4, &g);
	flow_make(&f, &c, 0, NULL, NULL);
	assert_int_equal(f.dominator[2], 1);
	assert_int_equal(f.dominator[3], 1);
	assert_int_equal(f.postdominator[0], 1);
	assert_int_equal(f.control.at[4] - f.control.at[3], 1);
	assert_int_equal(f.control.next[f.control.at[3]], 1);
	assert_int_equal(f.control.at[1] - f.control.at[0], 0);
	flow_release(&f);
	code_release(&c);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dominators_are_those_of_the_definition),
		cmocka_unit_test(components_are_those_of_the_definition),
		cmocka_unit_test(control_is_that_of_the_definition),
		cmocka_unit_test(what_follows_a_loop_hangs_on_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
