/* A loop that re-reads memory without yielding: it is taken to wait, and ends. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag;

static void *set(void *unused)
{
	flag = 1;
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, set, NULL);
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		;
	pthread_join(t, NULL);
	puts("seen");
}
