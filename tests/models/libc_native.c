/* tests/models/libc_native.c -- libc_paths.h on the machine itself: store, a call of libc, load, by two threads on two processors.
 *   libc_native RUNS [PATH...]    of each path (all): name, "drains" or "leaves", runs, how many of them had r1 = r2 = 0
 *   libc_native leaving|draining  their names, those check explores; leaving-more|draining-more: the others
 * Exits 1 if that showed with a path that drains.  Built with any compiler, not with raddle's. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define MORE_PATHS_TOO
#include "libc_paths.h"

#define LINE 64
#define ROUNDS 4096             /* cells, used one after the other */
#define SPINS 20000              /* before the processor is handed to others */

struct cell { _Alignas(LINE) int stored[2]; };          /* one thread's, in a line of its own */
static struct cell cells[2][ROUNDS];
static struct { _Alignas(LINE) long at; } came[2];      /* how many rounds this thread has come to */
static int results[2][ROUNDS];
static uint64_t which;
static long runs;

static cpu_set_t all;           /* processors there are for us */

static void pin(int i)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	for (int cpu = 0, nth = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && nth++ == i)
			CPU_SET(cpu, &one);
	if (CPU_COUNT(&one))
		sched_setaffinity(0, sizeof one, &one);
}

/* Until the other thread has come to this round too; plain stores, so nothing here drains behind the round's own store. */
static void meet(int i, long round)
{
	__atomic_store_n(&came[i].at, round, __ATOMIC_RELEASE);
	for (long spins = 0; __atomic_load_n(&came[!i].at, __ATOMIC_ACQUIRE) < round; spins++)
		if (spins % SPINS == SPINS - 1)
			sched_yield();
		else
			__builtin_ia32_pause();
}

static inline __attribute__((always_inline)) void rounds(int i, uint64_t path)
{
	for (long n = 0; n < runs; n++) {
		int *own = &cells[i][n % ROUNDS].stored[0], *other = &cells[!i][n % ROUNDS].stored[0];
		paths_before(path, i);
		meet(i, 2 * n + 1);
		__atomic_store_n(own, (int)(n / ROUNDS) + 1, __ATOMIC_RELAXED);
		paths_call(path, i);
		results[i][n % ROUNDS] = __atomic_load_n(other, __ATOMIC_RELAXED) == (int)(n / ROUNDS) + 1;
		paths_after(path, i);
		if (n % ROUNDS == ROUNDS - 1)
			meet(i, 2 * n + 2);
	}
}

/* One body for each path, so that nothing is asked between store and load. */
static void rounds_of(int i)
{
	int k = 0;
#define P(name, drains, before, call, after) if (which == 1ull << k) rounds(i, 1ull << k); k++;
	PATHS(P)
	MORE_PATHS(P)
#undef P
}

static long shown;

static void *second(void *unused)
{
	pin(1);
	rounds_of(1);
	return unused;
}

/* Results are counted when all cells have been used, while the other thread waits. */
static long run_path(unsigned k, long times)
{
	pthread_t thread;
	shown = 0;
	which = 1ull << k;
	runs = ROUNDS;
	for (long done = 0; done < times; done += ROUNDS) {
		memset(cells, 0, sizeof cells);
		came[0].at = came[1].at = 0;
		pthread_create(&thread, NULL, second, NULL);
		rounds_of(0);
		pthread_join(thread, NULL);
		for (int i = 0; i < ROUNDS; i++)
			shown += !results[0][i] && !results[1][i];
	}
	return shown;
}

static int tell(const char *what)
{
	for (unsigned k = 0; k < PATH_COUNT; k++)
		if (paths[k].explored == !strstr(what, "-more") && paths[k].drains == !strncmp(what, "draining", 8))
			puts(paths[k].name);
	return 0;
}

static int measure(unsigned k, long times)
{
	long zeros = run_path(k, times);
	printf("%s %s %ld %ld\n", paths[k].name, paths[k].drains ? "drains" : "leaves", (times + ROUNDS - 1) / ROUNDS * ROUNDS, zeros);
	fflush(stdout);
	return paths[k].drains && zeros;
}

int main(int argc, char **argv)
{
	int bad = 0;
	if (argc == 2 && (!strncmp(argv[1], "leaving", 7) || !strncmp(argv[1], "draining", 8)))
		return tell(argv[1]);
	long times = argc > 1 ? atol(argv[1]) : 0;
	if (times <= 0)
		return fprintf(stderr, "usage: libc_native RUNS [PATH...] | leaving | draining\n"), 2;
	if (sched_getaffinity(0, sizeof all, &all) || CPU_COUNT(&all) < 2)
		return fprintf(stderr, "libc_native: two processors are needed\n"), 2;
	pin(0);
	paths_init();
	more_paths_init();
	for (unsigned k = 0; k < PATH_COUNT && argc == 2; k++)
		bad |= measure(k, times);
	for (int i = 2; i < argc; i++) {
		int k = path_called(argv[i]);
		if (k < 0)
			return fprintf(stderr, "libc_native: no path is called %s\n", argv[i]), 2;
		bad |= measure((unsigned)k, times);
	}
	return bad;
}
