/* bench/needed.c -- how many runs a hunt needs until one fails: the median over seeds.
 *   needed <policy> <seeds> <most> <unique|reuse> <program>       prints a number, or "> most" */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/hunt.h"

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static uint64_t needed(const struct hunt_setup *setup)
{
	struct hunt_result result;
	struct err why;
	int got = hunt(setup, &result, &why);
	uint64_t number = got > 0 ? result.number : setup->most + 1;
	if (got < 0) {
		fprintf(stderr, "needed: %s\n", why.text);
		exit(2);
	}
	hunt_result_release(&result);
	return number;
}

int main(int count, char **argv)
{
	static const struct failure_rule any_failure;
	if (count < 6)
		return 2;
	long seeds = atol(argv[2]);
	uint64_t most = strtoull(argv[3], NULL, 10), *all = mem_take((size_t)(seeds + 1) * sizeof *all);
	struct hunt_setup setup = { .rule = &any_failure, .policy = HUNT_MIX, .most = most, .runs.jobs = 1 };
	for (int i = 0; policy_words[i]; i++)
		if (strcmp(argv[1], policy_words[i]) == 0)
			setup.policy = i;
	setup.runs.like.argv = argv + 5;
	setup.runs.like.heap = strcmp(argv[4], "reuse") == 0 ? HEAP_REUSE : HEAP_UNIQUE;
	for (long i = 0; i < seeds; i++) {
		setup.seed = 1 + (uint64_t)i * most;
		all[i] = needed(&setup);
	}
	qsort(all, (size_t)seeds, sizeof *all, by_size);
	uint64_t median = all[(seeds - 1) / 2];
	printf(median > most ? "> %llu\n" : "%llu\n", (unsigned long long)(median > most ? most : median));
	return 0;
}
