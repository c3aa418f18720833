/* bench/solve.c -- order clauses by the thousand: seconds for n events on 8 chains with d disjunctions of two orders each.
 *   solve EVENTS DISJUNCTIONS [WINDOW [SEED]]       half of them planted: an order that satisfies all is known to exist
 *   solve against N                                 small ones, against all orders: "N passed, M failed" */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "order/solve.h"

static uint64_t seed;

static uint32_t rnd(uint32_t n)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % n;
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#define CHAINS 8
struct literal { int from, to; };


/* Some order of the whole, made of chains, that has one literal of every clause? */
static bool possible(int n, const struct literal (*clauses)[2], int count, int *order, int placed, const int *chain)
{
	if (placed == n) {
		int at[16];
		for (int i = 0; i < n; i++)
			at[order[i]] = i;
		for (int i = 0; i < count; i++)
			if (at[clauses[i][0].from] > at[clauses[i][0].to] && at[clauses[i][1].from] > at[clauses[i][1].to])
				return false;
		return true;
	}
	for (int x = 0; x < n; x++) {
		bool used = false, ready = true;
		for (int i = 0; i < placed; i++)
			used |= order[i] == x;
		for (int y = 0; y < x; y++) {
			bool there = false;
			for (int i = 0; i < placed; i++)
				there |= order[i] == y;
			ready &= chain[y] != chain[x] || there;
		}
		if (used || !ready)
			continue;
		order[placed] = x;
		if (possible(n, clauses, count, order, placed + 1, chain))
			return true;
	}
	return false;
}

static int against(int runs)
{
	int passed = 0, failed = 0, yes = 0;
	for (int run = 0; run < runs; run++) {
		int n = 4 + (int)rnd(4), count = 2 + (int)rnd(9), chain[16], order[16];
		struct literal clauses[16][2];
		struct solve *s = solve_new(3);
		for (int i = 0; i < n; i++)
			solve_node(s, (uint32_t)(chain[i] = (int)rnd(3)));
		for (int i = 0; i < count; i++) {
			solve_clause(s);
			for (int k = 0; k < 2; k++) {
				int a = (int)rnd((uint32_t)n), b = (a + 1 + (int)rnd((uint32_t)n - 1)) % n;
				clauses[i][k] = (struct literal){ a, b };
				solve_way(s, (uint32_t)a, (uint32_t)b);
			}
		}
		bool want = possible(n, (const struct literal (*)[2])clauses, count, order, 0, chain);
		bool got = solve_run(s, 0) == SOLVED_YES;
		yes += want;
		want == got ? passed++ : failed++;
		solve_free(s);
	}
	printf("%d of them possible\n%d passed, %d failed\n", yes, passed, failed);
	return failed != 0;
}

int main(int argc, char **argv)
{
	seed = 0x9e3779b97f4a7c15ull;
	if (argc > 2 && !strcmp(argv[1], "against"))
		return against(atoi(argv[2]));
	if (argc < 3)
		return 2;
	uint32_t n = (uint32_t)atoi(argv[1]), count = (uint32_t)atoi(argv[2]), window = argc > 3 ? (uint32_t)atoi(argv[3]) : 400;
	for (int planted = 0; planted < 2; planted++) {
		double start = seconds();
		struct solve *s = solve_new(CHAINS);
		uint32_t number = 0;
		seed = (argc > 4 ? strtoull(argv[4], NULL, 10) : 1) * 0x9e3779b97f4a7c15ull | 1;
		uint32_t *chain = calloc(n, sizeof *chain);
		for (uint32_t i = 0; i < n; i++)
			solve_node(s, chain[i] = rnd(CHAINS));
		while (number < count) {
			uint32_t a = rnd(n), b = a + rnd(2 * window + 1), c = a + rnd(2 * window + 1), d = c + rnd(2 * window + 1);
			b -= window < b ? window : 0, c -= window < c ? window : 0, d -= window < d ? window : 0;
			if (b >= n || c >= n || d >= n || chain[a] == chain[b] || chain[c] == chain[d])
				continue;
			if (planted && a > b) {
				uint32_t t = a;
				a = b, b = t;
			}
			solve_clause(s);
			solve_way(s, a, b);
			solve_way(s, c, d);
			number++;
		}
		enum solved answer = solve_run(s, 0);
		printf("%u events, %u disjunctions, %s: %s, %.3f s\n", n, count, planted ? "planted" : "random",
			answer == SOLVED_YES ? "possible" : answer == SOLVED_NO ? "impossible" : "not decided", seconds() - start);
		solve_free(s);
		free(chain);
	}
	return 0;
}
