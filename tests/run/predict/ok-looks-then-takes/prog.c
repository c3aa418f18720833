/* A lock that is looked at before it is taken by an exchange; how often somebody else was faster is printed. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int taken, beaten;
static int count;

static void *counts(void *unused)
{
	for (;;) {
		while (atomic_load(&taken))
			sched_yield();
		if (!atomic_exchange(&taken, 1))
			break;
		beaten++;
	}
	count++;
	atomic_store(&taken, 0);
	return unused;
}

int main(void)
{
	pthread_t counting[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&counting[i], NULL, counts, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(counting[i], NULL);
	printf("%d, beaten %d times\n", count, beaten);
	return 0;
}
