/* A thread gives up because its creator has not set it up yet.  Depth 1: the worker's look comes before main's write.
 * Switches: main to worker: 1. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int configured;

static void *worker(void *x)
{
	if (!configured)
		exit(3);
	return x;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	configured = 1;
	pthread_join(t, NULL);
	return 0;
}
