/* examples/epa/pool.c -- a pool of threads takes jobs from a queue under a mutex, and puts results back.
 * The sum is always the same, who takes which job is not: order-dependent. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 3
#define JOBS    15

struct job { int from, to; struct job *next; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct job *queue;
static bool closed;
static long total;

static struct job *take(void)
{
	pthread_mutex_lock(&lock);
	while (!queue && !closed)
		pthread_cond_wait(&more, &lock);
	struct job *j = queue;
	if (j)
		queue = j->next;
	pthread_mutex_unlock(&lock);
	return j;
}

static void put(int from, int to)
{
	struct job *j = malloc(sizeof *j);
	if (!j)
		abort();
	*j = (struct job){ from, to, NULL };
	pthread_mutex_lock(&lock);
	j->next = queue;
	queue = j;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
	struct job *j;
	while ((j = take())) {
		long sum = 0;
		for (int i = j->from; i < j->to; i++)
			sum += i;
		pthread_mutex_lock(&lock);
		total += sum;
		pthread_mutex_unlock(&lock);
		free(j);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, NULL);
	for (int i = 0; i < JOBS; i++)
		put(i * 10, i * 10 + 10);
	pthread_mutex_lock(&lock);
	closed = true;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&lock);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	printf("%ld\n", total);
	return 0;
}
