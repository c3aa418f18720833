/* The same with release: right under every model. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic published;

static void *make(void *unused)
{
	int *p = malloc(sizeof *p);
	*p = 7;
	atomic_store_explicit(&published, p, memory_order_release);
	return unused;
}

int main(void)
{
	pthread_t maker;
	pthread_create(&maker, NULL, make, NULL);
	int *p = atomic_load_explicit(&published, memory_order_acquire), bad = p && *(volatile int *)p != 7;
	pthread_join(maker, NULL);
	return bad;
}
