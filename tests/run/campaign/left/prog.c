/* Each thread waits for a time it computes.  A negative time is for ever: then the thread cannot have the turn the schedule gives it. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>

static volatile int unit = 10;
static int order[2], next;

static void *nap(void *which)
{
	long n = (long)which;
	int time = unit * (n ? 200 : 100);
	poll(NULL, 0, time);
	order[n] = 7;
	__atomic_add_fetch(&next, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, nap, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", order[0] + order[1] + next);
	return 0;
}
