/* What is read is only looked at, or asked about once more by the exchange: nothing is lost. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int served, most;

static void *serves(void *number)
{
	int now = 1 + atomic_fetch_add(&served, *(int *)number), seen = atomic_load(&most);
	while (seen < now && !atomic_compare_exchange_strong(&most, &seen, now))
		;
	return NULL;
}

int main(void)
{
	pthread_t serving[2];
	int number[2] = { 2, 3 };
	for (int i = 0; i < 2; i++)
		pthread_create(&serving[i], NULL, serves, &number[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(serving[i], NULL);
	printf("%d served, more than %d\n", atomic_load(&served), atomic_load(&most) > 0);
	return 0;
}
