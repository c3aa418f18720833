/* A recursive mutex locked twice is free for others only after the second unlock. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int inside;

static void *hold(void *unused)
{
	pthread_mutex_lock(&m);
	inside = 1;
	if (pthread_mutex_lock(&m))
		puts("refused");
	pthread_mutex_unlock(&m);
	inside = 0;
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, hold, NULL);
	int result = pthread_mutex_trylock(&m);
	if (!result && inside)
		puts("two owners");
	if (!result)
		pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	puts(result == EBUSY ? "EBUSY" : result ? "?" : "taken");
}
