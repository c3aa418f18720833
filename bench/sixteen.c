/* bench/sixteen.c -- the smallest test worth running often: two threads, 16 steps between their begins and ends. */
#include <pthread.h>

static int shared;

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++)
		shared++;
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
