/* tests/run/setting/work.h -- two threads that count under a lock, enough to fill some segments. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long shared, table[64];

static void *count(void *rounds)
{
	for (unsigned long i = 0; i < *(unsigned long *)rounds; i++) {
		pthread_mutex_lock(&lock);
		shared++;
		pthread_mutex_unlock(&lock);
		for (unsigned k = 0; k < 64; k++)
			__atomic_fetch_add(&table[(i + k) % 64], shared * 2654435761u, __ATOMIC_RELAXED);
	}
	return NULL;
}

static int work(unsigned long rounds)
{
	pthread_t other;
	if (pthread_create(&other, NULL, count, &rounds))
		return 1;
	count(&rounds);
	pthread_join(other, NULL);
	printf("counted %lu\n", shared);
	return shared == 2 * rounds ? 7 : 1;
}
