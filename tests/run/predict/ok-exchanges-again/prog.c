/* Counts by compare and exchange, and counts how often that had to be done again: the count is always right. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int count, again;

static void *counts(void *unused)
{
	int seen = atomic_load(&count);
	while (!atomic_compare_exchange_strong(&count, &seen, seen + 1))
		again++;
	return unused;
}

int main(void)
{
	pthread_t counting[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&counting[i], NULL, counts, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(counting[i], NULL);
	printf("%d, %d times again\n", count, again);
	return 0;
}
