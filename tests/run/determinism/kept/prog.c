/* Of two threads at a barrier one is told that it is the serial one: argument 1, and it is asked which. */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int serial[2];

static void *asks(void *which)
{
	serial[(long)which] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	return NULL;
}

static void *passes(void *which)
{
	pthread_barrier_wait(&barrier);
	serial[(long)which] = 1;
	return NULL;
}

int main(int count, char **words)
{
	pthread_t threads[2];
	(void)words;
	pthread_barrier_init(&barrier, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, count > 1 ? asks : passes, (void *)i);
	for (long i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", serial[0] + serial[1]);
	return 0;
}
