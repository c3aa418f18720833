/* Two threads count by a loop of weak compare-exchanges: nothing is lost, whatever fails. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *count(void *unused)
{
	int old = atomic_load(&x);
	while (!atomic_compare_exchange_weak(&x, &old, old + 1))
		;
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, count, NULL);
	count(NULL);
	pthread_join(t, NULL);
	printf("%d\n", x);
}
