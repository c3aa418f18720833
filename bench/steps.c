/* bench/steps.c -- what a steered step costs: two threads, each doing one thing many times.
 *   steps local|shared|heap|stay|switch <times>
 * local   arithmetic no other thread can see          shared  a plain global read and written
 * heap    the same in a heap block                    stay    an atomic add, nobody else gets a turn (policy first)
 * switch  sched_yield: every one of them is a switch */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long times;
static volatile int cells[64];
static atomic_int counter;
static uint64_t results[2];

static void *local(void *number)
{
	long n = times;
	uint64_t x = (uint64_t)(intptr_t)number + 1;
	for (long i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	results[(intptr_t)number] = x;
	return NULL;
}

static void *shared(void *number)
{
	for (long i = 0, n = times; i < n; i++)
		cells[32 * (intptr_t)number]++;
	return NULL;
}

static void *heap(void *number)
{
	volatile int *cell = malloc(64);
	for (long i = 0, n = times; i < n; i++)
		cell[3]++;
	results[(intptr_t)number] = (uint64_t)cell[3];
	free((void *)cell);
	return NULL;
}

static void *stay(void *unused)
{
	for (long i = 0, n = times; i < n; i++)
		atomic_fetch_add(&counter, 1);
	return unused;
}

static void *yield(void *unused)
{
	for (long i = 0, n = times; i < n; i++)
		sched_yield();
	return unused;
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void *(*work)(void *); } kinds[] = {
		{ "local", local }, { "shared", shared }, { "heap", heap }, { "stay", stay }, { "switch", yield } };
	pthread_t threads[2];
	void *(*work)(void *) = NULL;

	for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(argv[1], kinds[i].name) == 0)
			work = kinds[i].work;
	if (!work || (times = atol(argv[2])) <= 0) {
		fprintf(stderr, "usage: steps local|shared|heap|stay|switch <times>\n");
		return 2;
	}
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%llx\n", (unsigned long long)(results[0] ^ results[1]));        /* or the compiler leaves the work out */
	return 0;
}
