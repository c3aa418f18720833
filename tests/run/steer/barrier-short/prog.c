/* Three expected, two come: they wait for ever. */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;

static void *arrive(void *unused)
{
	pthread_barrier_wait(&barrier);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_barrier_init(&barrier, NULL, 3);
	pthread_create(&t, NULL, arrive, NULL);
	arrive(NULL);
	puts("left");
}
