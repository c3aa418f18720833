/* Each thread waits for a time it computes.  No time at all is no wait: then there is nothing the schedule could have it wait for, and all else is as it was. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>

static volatile int unit = 10;
static int done[2];

static void *nap(void *which)
{
	long n = (long)which;
	int time = unit * (n ? 200 : 100);
	poll(NULL, 0, time);
	done[n] = 7;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, nap, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", done[0] + done[1]);
	return 0;
}
