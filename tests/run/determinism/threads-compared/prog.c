/* Which thread it is, asked in ways whose answers are the same in every run. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static void *work(void *nothing)
{
	pthread_setname_np(pthread_self(), "worker");
	return nothing;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	int same = pthread_equal(pthread_self(), t) || pthread_self() == t;
	pthread_join(t, NULL);
	printf("%d\n", same);
	return 0;
}
