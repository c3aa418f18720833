/* bench/buffer.c -- a bounded buffer: producers and consumers, one mutex, two condition variables.  Lock-heavy.
 *   buffer [items per producer=400000] [work per item=150] [producers=2] [consumers=2] */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static uint64_t slots[SLOTS];
static unsigned used, head, tail;
static int producing;

static long items, effort;

static uint64_t mix(uint64_t x)
{
	for (long i = 0; i < effort; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

static void put(uint64_t x)
{
	pthread_mutex_lock(&lock);
	while (used == SLOTS)
		pthread_cond_wait(&not_full, &lock);
	slots[tail] = x;
	tail = (tail + 1) % SLOTS;
	used++;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&lock);
}

/* False when all is produced and taken. */
static int take(uint64_t *x)
{
	int found;

	pthread_mutex_lock(&lock);
	while (used == 0 && producing > 0)
		pthread_cond_wait(&not_empty, &lock);
	found = used > 0;
	if (found) {
		*x = slots[head];
		head = (head + 1) % SLOTS;
		used--;
		pthread_cond_signal(&not_full);
	}
	pthread_mutex_unlock(&lock);
	return found;
}

static void *producer(void *arg)
{
	uint64_t x = (uint64_t)(uintptr_t)arg + 1;

	for (long i = 0; i < items; i++)
		put(x = mix(x));
	pthread_mutex_lock(&lock);
	producing--;
	pthread_cond_broadcast(&not_empty);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *consumer(void *arg)
{
	uint64_t *sum = arg, x;

	while (take(&x))
		*sum += mix(x);
	return NULL;
}

int main(int argc, char **argv)
{
	int producers = argc > 3 ? atoi(argv[3]) : 2, consumers = argc > 4 ? atoi(argv[4]) : 2;
	pthread_t *threads = calloc((size_t)(producers + consumers), sizeof *threads);
	uint64_t *sums = calloc((size_t)consumers * 8, sizeof *sums), sum = 0;

	items = argc > 1 ? atol(argv[1]) : 400000;
	effort = argc > 2 ? atol(argv[2]) : 150;
	producing = producers;
	for (int t = 0; t < producers; t++)
		pthread_create(&threads[t], NULL, producer, (void *)(uintptr_t)t);
	for (int t = 0; t < consumers; t++)
		pthread_create(&threads[producers + t], NULL, consumer, &sums[t * 8]);
	for (int t = 0; t < producers + consumers; t++)
		pthread_join(threads[t], NULL);
	for (int t = 0; t < consumers; t++)
		sum += sums[t * 8];
	printf("buffer %016llx\n", (unsigned long long)sum);
	free(threads);
	free(sums);
	return 0;
}
