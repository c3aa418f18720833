/* Each half of the update is atomic, the whole is not: one of two is lost.  The counter is the second half of a word whose first half nobody shares. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static struct { _Alignas(8) int opened; atomic_int served; } shop = { 1, 0 };

static void *serves(void *unused)
{
	int before = atomic_load(&shop.served); /*@A*/
	atomic_store(&shop.served, before + 1); /*@B*/
	return unused;
}

int main(void)
{
	pthread_t serving[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&serving[i], NULL, serves, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(serving[i], NULL);
	printf("%d served\n", atomic_load(&shop.served));
	return !shop.opened;
}
