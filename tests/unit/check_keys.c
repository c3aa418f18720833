/* tests/unit/check_keys.c -- the sets of hashes and the ends of runs of analyses/check. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyses/check/ends.h"
#include "analyses/check/keys.h"

static uint64_t number(uint64_t *seed)
{
	*seed += 0x9e3779b97f4a7c15u;
	uint64_t x = (*seed ^ *seed >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static int by_high(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	return x->high != y->high ? (x->high < y->high ? -1 : 1) : x->low < y->low ? -1 : x->low > y->low;
}

/* Every key is there, no other is, and each once, in order. */
static void holds(const struct keys *k, struct key *want, size_t count)
{
	size_t place = 0, had = 0;
	const struct key *last = NULL;
	for (const struct key *x; (x = keys_next(k, &place)); last = x, had++)
		assert_true(!last || last->high <= x->high);
	assert_int_equal(had, count);
	assert_int_equal(k->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_non_null(keys_get(k, want[i]));
		assert_null(keys_get(k, (struct key){ want[i].high, want[i].low ^ (uint64_t)1 << 40 }));
	}
}

static void random_keys(void **state)
{
	enum { MANY = 200000 };
	struct key *want = calloc(MANY, sizeof *want);
	struct keys k = { 0 };
	uint64_t seed = 7;
	bool fresh;
	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		want[i] = (struct key){ number(&seed), number(&seed) & ~(uint64_t)KEY_MARKS };
		keys_put(&k, want[i], &fresh)->low |= i & KEY_MARKS;
		assert_true(fresh);
		if (i == 0 || i == 17 || i == 1000)
			holds(&k, want, i + 1);
	}
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(keys_put(&k, want[i], &fresh)->low & KEY_MARKS, i & KEY_MARKS);
		assert_false(fresh);
	}
	qsort(want, MANY, sizeof *want, by_high);
	holds(&k, want, MANY);
	assert_true(k.room * sizeof *k.at <= (size_t)MANY * 23);
	keys_release(&k);
	free(want);
}

/* All at one end of the table, with equal halves, or nothing at all: they still stand in order. */
static void crowded_keys(void **state)
{
	struct key want[3000];
	struct keys k = { 0 };
	bool fresh;
	(void)state;
	for (size_t i = 0; i < 3000; i++) {
		want[i] = (struct key){ i < 200 ? UINT64_MAX - i : i < 2000 ? i : 12345, i << 3 };
		keys_put(&k, want[i], &fresh);
		assert_true(fresh);
	}
	holds(&k, want, 3000);
	keys_release(&k);
	keys_put(&k, (struct key){ 0, 0 }, &fresh);
	assert_true(fresh);
	keys_put(&k, (struct key){ 0, 0 }, &fresh);
	assert_false(fresh);
	assert_int_equal(k.count, 1);
	keys_release(&k);
}

/* What goes in comes out, also those that are in the file by then. */
static void many_ends(void **state)
{
	enum { MANY = 100000 };
	struct ends e = { 0 };
	struct run_end end = { 0 };
	size_t place = 0, first_spinning = 0;
	bool again;
	(void)state;
	for (uint32_t i = 0; i < MANY; i++) {
		end.count = i % 7;
		end.spins = i % 11 == 3;
		for (uint32_t t = 0; t < end.count; t++)
			end.at[t] = t % 3 == 2 ? NO_NODE : i * 10 + t;
		size_t at = ends_add(&e, &end, i % 13 == 5);
		first_spinning = i == 3 ? at : first_spinning;
	}
	assert_true(e.in_file > 0 && e.words.room * sizeof *e.words.at < 1u << 20);
	assert_int_equal(e.count, MANY);
	assert_int_equal(e.again, (MANY - 5 + 12) / 13);
	for (uint32_t i = 0; i < MANY; i++) {
		assert_true(ends_next(&e, &place, &end, &again));
		assert_true(end.count == i % 7 && end.spins == (i % 11 == 3) && again == (i % 13 == 5));
		for (uint32_t t = 0; t < MAX_THREADS; t++)
			assert_int_equal(end.at[t], t >= i % 7 || t % 3 == 2 ? NO_NODE : i * 10 + t);
	}
	assert_false(ends_next(&e, &place, &end, &again));
	assert_true(ends_next(&e, &first_spinning, &end, &again) && end.count == 3 && end.spins);
	ends_release(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_keys), cmocka_unit_test(crowded_keys), cmocka_unit_test(many_ends) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
