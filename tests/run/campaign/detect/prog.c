/* Threads one behind the other, each of which sums its part of a table twice and compares; main compares with what it must be.  How late a fault is found
 * out hangs on nothing but the fault: at most one thread runs at a time.
 *   prog exit|stop|say|signal: by which way it is told */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3
#define CELLS   20

static int table[THREADS][CELLS];
static long sums[THREADS];
static const char *way;

__attribute__((noinline)) static void give_up(int code)
{
	if (!strcmp(way, "say"))
		fprintf(stderr, "unsafe: part %d\n", code), fflush(stderr), _Exit(0);
	if (!strcmp(way, "signal"))
		raise(SIGUSR2);
	_Exit(9);
}

static void *sum(void *given)
{
	int part = *(int *)given;
	long up = 0, down = 0;
	for (int i = 0; i < CELLS; i++)
		up += table[part][i] * 3;
	for (int i = CELLS; i-- > 0; )
		down += table[part][i] * 3;
	if (up != down)
		give_up(part);
	sums[part] = up;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	long all = 0;
	way = argc > 1 ? argv[1] : "exit";
	for (int part = 0; part < THREADS; part++) {
		for (int i = 0; i < CELLS; i++)
			table[part][i] = part * 100 + i;
		pthread_create(&thread, NULL, sum, &part);
		pthread_join(thread, NULL);
		all += sums[part];
	}
	if (all % 3)
		give_up(THREADS);
	printf("%ld\n", all);
	return 0;
}
