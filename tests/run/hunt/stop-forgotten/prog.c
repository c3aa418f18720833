/* A worker that sets its own stop flag back when it begins.  Depth 1: it was told to stop before; nobody tells it again.
 * Switches: main to the one that stops it, to worker: 2. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static void *worker(void *x)
{
	stop = 0;
	while (!stop)
		;
	return x;
}

static void *stopper(void *x)
{
	stop = 1;
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, worker, NULL);
	pthread_create(&t[1], NULL, stopper, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
