/* tests/unit/model_points.c -- the points-to solver against a naive fixpoint over concrete offsets, on random constraints.
 * Without steps the two must agree exactly; with steps and strides everything the naive one finds must be in the answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/points.h"

#define NODES   6
#define OBJECTS 4               /* 1 .. OBJECTS */
#define WORDS   8               /* of eight bytes that an object has here */
#define ROUNDS  20000

static uint64_t state_of_dice = 0x123456789abcdefull;
static uint32_t dice(uint32_t below)
{
	state_of_dice ^= state_of_dice << 13;
	state_of_dice ^= state_of_dice >> 7;
	state_of_dice ^= state_of_dice << 17;
	return (uint32_t)(state_of_dice >> 33) % below;
}

enum what { ADDRESS, COPY, LOAD, STORE, ESCAPE };
struct constraint { enum what what; uint32_t a, b; int distance, stride; };

/* node n, or word w of object o, holds a pointer to word v of object p; object 0 is the outside. */
struct naive {
	bool node[NODES][OBJECTS + 1][WORDS], word[OBJECTS + 1][WORDS][OBJECTS + 1][WORDS], escaped[OBJECTS + 1], escapes[NODES];
	bool changed;
};

static void put(struct naive *n, bool *there)
{
	n->changed |= !*there;
	*there = true;
}

static void put_all(struct naive *n, bool (*to)[WORDS], bool (*from)[WORDS])
{
	for (int o = 0; o <= OBJECTS; o++)
		for (int w = 0; w < WORDS; w++)
			if (from[o][w])
				put(n, &to[o][w]);
}

static void copy_stepped(struct naive *n, const struct constraint *c)
{
	for (int o = 0; o <= OBJECTS; o++)
		for (int w = 0; w < WORDS; w++)
			for (int k = c->stride ? -WORDS : 0; n->node[c->a][o][w] && k <= (c->stride ? WORDS : 0); k++) {
				int to = o ? w + c->distance + k * c->stride : 0;
				if (to >= 0 && to < WORDS)
					put(n, &n->node[c->b][o][to]);
			}
}

static void all_escape(struct naive *n, bool (*set)[WORDS])
{
	for (int o = 1; o <= OBJECTS; o++)
		for (int w = 0; w < WORDS; w++)
			if (set[o][w])
				put(n, &n->escaped[o]);
}

static void apply(struct naive *n, const struct constraint *c)
{
	if (c->what == ADDRESS)
		put(n, &n->node[c->a][c->b][c->distance]);
	if (c->what == COPY)
		copy_stepped(n, c);
	if (c->what == ESCAPE)
		all_escape(n, n->node[c->a]);
	for (int o = 0; o <= OBJECTS; o++)
		for (int w = 0; w < WORDS; w++) {
			if (c->what == LOAD && n->node[c->a][o][w])
				put_all(n, n->node[c->b], n->word[o][w]);
			if (c->what == STORE && n->node[c->b][o][w] && o)
				put_all(n, n->word[o][w], n->node[c->a]);
			if (c->what == STORE && n->node[c->b][0][w] && !o)
				all_escape(n, n->node[c->a]);
		}
}

/* What escaped holds something from outside, and what it holds escapes. */
static void spread_escape(struct naive *n)
{
	for (int o = 1; o <= OBJECTS; o++)
		for (int w = 0; w < WORDS && n->escaped[o]; w++) {
			put(n, &n->word[o][w][0][0]);
			all_escape(n, n->word[o][w]);
		}
}

static void solve_naively(struct naive *n, const struct constraint *c, int count)
{
	memset(n, 0, sizeof *n);
	n->word[0][0][0][0] = true;
	do {
		n->changed = false;
		for (int i = 0; i < count; i++)
			apply(n, &c[i]);
		spread_escape(n);
	} while (n->changed);
}

static struct points *solve(const struct constraint *c, int count)
{
	static const struct points_hooks none;
	struct points *p = points_new(NODES);
	for (int i = 0; i < OBJECTS; i++)
		points_object(p, WORDS * 8);
	for (int i = 0; i < count; i++)
		switch (c[i].what) {
		case ADDRESS: points_address(p, c[i].a, c[i].b, c[i].distance * 8); break;
		case COPY:    points_copy(p, c[i].a, c[i].b, c[i].distance * 8, (uint32_t)c[i].stride * 8); break;
		case LOAD:    points_load(p, c[i].a, c[i].b, 0, 8); break;
		case STORE:   points_store(p, c[i].a, c[i].b, 0, 8); break;
		case ESCAPE:  points_escape(p, c[i].a); break;
		}
	points_solve(p, &none);
	return p;
}

/* A set that has the outside has everything that escaped. */
static bool holds(const struct points *p, uint32_t node, uint32_t object, int word)
{
	if (object && points_has_escaped(p, object) && holds(p, node, 0, 0))
		return true;
	for (uint32_t i = 0; i < points_count(p, node); i++) {
		struct points_place at = points_at(p, node, i);
		if (at.object == object && (!object || points_overlap(p, at, 8, (struct points_place){ object, word * 8 }, 8)))
			return true;
	}
	return false;
}

static int random_constraints(struct constraint *c, bool steps)
{
	int count = 1 + (int)dice(20);
	for (int i = 0; i < count; i++) {
		c[i] = (struct constraint){ .what = (enum what)dice(4), .a = dice(NODES), .b = dice(NODES) };
		if (dice(30) == 0)
			c[i].what = ESCAPE;
		if (c[i].what == ADDRESS)
			c[i].b = 1 + dice(OBJECTS), c[i].distance = (int)dice(WORDS);
		else if (c[i].what == COPY && steps)
			c[i].distance = (int)dice(5) - 2, c[i].stride = dice(3) ? 0 : (int)dice(4);
	}
	return count;
}

static void compare(bool steps)
{
	static struct naive n;
	struct constraint c[32];
	for (int round = 0; round < ROUNDS; round++) {
		int count = random_constraints(c, steps);
		struct points *p = solve(c, count);
		solve_naively(&n, c, count);
		for (uint32_t node = 0; node < NODES; node++)
			for (uint32_t o = 0; o <= OBJECTS; o++)
				for (int w = 0; w < (o ? WORDS : 1); w++) {
					bool found = holds(p, node, o, w);
					bool known = n.node[node][o][w] || (n.node[node][0][0] && n.escaped[o]);
					if (known ? !found : found && !steps)
						fail_msg("round %d: node %u, object %u, word %d: %d", round, node, o, w, found);
				}
		for (uint32_t o = 1; o <= OBJECTS; o++)
			if (n.escaped[o] ? !points_has_escaped(p, o) : points_has_escaped(p, o) && !steps)
				fail_msg("round %d: escape of object %u", round, o);
		points_free(p);
	}
}

static void exact_without_steps(void **state)
{
	(void)state;
	compare(false);
}

static void nothing_missing_with_steps(void **state)
{
	(void)state;
	compare(true);
}

/* An array of structures of 16 bytes, walked by a variable index: fields at 0 and at 8 stay apart. */
static void fields_of_an_array_stay_apart(void **state)
{
	static const struct points_hooks none;
	struct points *p = points_new(6);
	uint32_t array = points_object(p, 160), x = points_object(p, 8), y = points_object(p, 8);
	(void)state;
	points_address(p, 0, array, 0);
	points_copy(p, 0, 1, 0, 16);                    /* &array[i] */
	points_copy(p, 1, 2, 8, 0);                     /* &array[i].second */
	points_address(p, 3, x, 0);
	points_address(p, 4, y, 0);
	points_store(p, 3, 1, 0, 8);
	points_store(p, 4, 2, 0, 8);
	points_load(p, 2, 5, 0, 8);
	points_solve(p, &none);
	assert_true(points_overlap(p, points_at(p, 1, 0), 8, (struct points_place){ array, 16 }, 8));
	assert_false(points_overlap(p, points_at(p, 1, 0), 8, (struct points_place){ array, 24 }, 8));
	assert_int_equal(points_count(p, 5), 1);
	assert_int_equal(points_at(p, 5, 0).object, y);
	points_free(p);
}

/* p = p + 8 in a loop ends, and its offsets are all there. */
static void a_pointer_that_runs_away_ends(void **state)
{
	static const struct points_hooks none;
	struct points *p = points_new(2);
	uint32_t o = points_object(p, 0);
	(void)state;
	points_address(p, 0, o, 4);
	points_copy(p, 0, 0, 12, 0);
	points_solve(p, &none);
	for (int i = 0; i < 1000; i++) {
		struct points_place want = { o, 4 + 12 * i };
		bool found = false;
		for (uint32_t k = 0; k < points_count(p, 0); k++)
			found |= points_overlap(p, points_at(p, 0, k), 1, want, 1);
		assert_true(found);
	}
	points_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_without_steps),
		cmocka_unit_test(nothing_missing_with_steps),
		cmocka_unit_test(fields_of_an_array_stay_apart),
		cmocka_unit_test(a_pointer_that_runs_away_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
