/* A thread uses a table its creator fills in after creating it.  Depth 1: the worker's read comes before main's write.
 * Switches: main to worker: 1. */
#include <pthread.h>
#include <stdlib.h>

static int *volatile table;

static void *worker(void *x)
{
	table[0]++;
	return x;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	table = calloc(4, sizeof *table);
	pthread_join(t, NULL);
	free(table);
	return 0;
}
