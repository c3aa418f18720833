/* A loop that yields until it sees the flag: it always ends, however the two run. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag;

static void *set(void *unused)
{
	flag = 1;
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, set, NULL);
	while (!flag)
		sched_yield();
	pthread_join(t, NULL);
	puts("seen");
}
