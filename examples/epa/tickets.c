/* examples/epa/tickets.c -- threads draw numbers from an atomic counter and work on what has that number.
 * All numbers are drawn once, by whom hangs on who comes first: order-dependent. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS 3
#define JOBS    24

static atomic_int next;
static int results[JOBS];

static void *work(void *unused)
{
	int job;
	while ((job = atomic_fetch_add(&next, 1)) < JOBS)
		results[job] = job * job + 1;
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, NULL);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	int sum = 0;
	for (int i = 0; i < JOBS; i++)
		sum += results[i];
	printf("%d\n", sum);
	return 0;
}
