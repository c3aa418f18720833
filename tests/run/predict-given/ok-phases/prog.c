/* Written by its owner before the barrier, read by the other after it, and again. */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t b;
static int cell[2];

static void *work(void *number)
{
	long i = (long)number;
	for (int round = 0; round < 2; round++) {
		cell[i] += 1;
		pthread_barrier_wait(&b);
		int other = cell[1 - i];
		pthread_barrier_wait(&b);
		cell[i] += other;
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	pthread_barrier_init(&b, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d %d\n", cell[0], cell[1]);
	return 0;
}
