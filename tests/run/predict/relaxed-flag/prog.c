/* Handed over by a flag of relaxed accesses: nothing orders data, yet under sequential consistency the two are never side by side. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int flag;

static void *first(void *unused)
{
	(void)unused;
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	if (atomic_load_explicit(&flag, memory_order_relaxed))
		printf("%d\n", data);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
