/* Threads named by the one that made them, at once: perhaps before they have begun. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

enum { MANY = 40 };
static pthread_barrier_t all;

static void *stays(void *unused)
{
	pthread_barrier_wait(&all);
	return unused;
}

int main(void)
{
	pthread_t t[MANY];
	char name[16];
	pthread_barrier_init(&all, NULL, MANY + 1);
	for (int i = 0; i < MANY; i++) {
		pthread_create(&t[i], NULL, stays, NULL);
		snprintf(name, sizeof name, "worker-%d", i);
		pthread_setname_np(t[i], name);
	}
	pthread_barrier_wait(&all);
	for (int i = 0; i < MANY; i++)
		pthread_join(t[i], NULL);
	return 0;
}
