/* A lock that looks first and takes then.  Depth 3: both have looked before one took it, and the first in is stopped inside.
 * Switches: main to one, to the other, back: 3. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int busy, inside;

static void *worker(void *x)
{
	while (busy)
		sched_yield();
	busy = 1;
	assert(inside++ == 0);
	inside--;
	busy = 0;
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, worker, NULL);
	pthread_create(&t[1], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
