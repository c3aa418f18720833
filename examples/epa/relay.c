/* examples/epa/relay.c -- a number goes round a ring of threads; each waits for its own semaphore and posts the next one's.
 * Only one of them has something to do at any time: deterministic. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define THREADS 5
#define ROUNDS  6

static sem_t turn[THREADS];
static unsigned number = 1;

static void *work(void *which)
{
	long t = (long)which;
	for (int round = 0; round < ROUNDS; round++) {
		sem_wait(&turn[t]);
		number = number * 5 + (unsigned)t;
		sem_post(&turn[(t + 1) % THREADS]);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int t = 0; t < THREADS; t++)
		sem_init(&turn[t], 0, t == 0);
	for (long t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	for (int t = 0; t < THREADS; t++)
		sem_destroy(&turn[t]);
	printf("%u\n", number);
	return 0;
}
