/* Locks, conditions, atomics, plain accesses, memory that is freed, a thread that creates a thread. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int turns;
static int ready, sum;
static int *volatile shared;

static void *leaf(void *x)
{
	shared = malloc(16);
	atomic_fetch_add(&turns, 1);
	return x;
}

static void *worker(void *x)
{
	pthread_t t;
	pthread_create(&t, NULL, leaf, NULL);
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		sum += i;
		ready++;
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m);
	}
	pthread_join(t, NULL);
	return x;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	pthread_mutex_lock(&m);
	while (ready < 6)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	free(shared);
	printf("%d %d\n", sum, atomic_load(&turns));
	return 0;
}
