/* A handler counts what its thread counts too, both by one atomic update. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int counted;

static void also(int signal)
{
	(void)signal;
	atomic_fetch_add(&counted, 10);
}

static void *count(void *unused)
{
	for (int i = 0; i < 3; i++)
		atomic_fetch_add(&counted, 1);
	return unused;
}

int main(void)
{
	pthread_t counter;
	signal(SIGUSR1, also);
	pthread_create(&counter, NULL, count, NULL);
	pthread_kill(counter, SIGUSR1);
	pthread_join(counter, NULL);
	printf("%d\n", atomic_load(&counted));
	return 0;
}
