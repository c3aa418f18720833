/* A lock of our own by compare-exchange; no annotation. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int taken;
static int n;

static void *work(void *unused)
{
	(void)unused;
	int free_ = 0;
	while (!atomic_compare_exchange_weak_explicit(&taken, &free_, 1, memory_order_acquire, memory_order_relaxed))
		free_ = 0;
	n++;
	atomic_store_explicit(&taken, 0, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", n);
	return 0;
}
