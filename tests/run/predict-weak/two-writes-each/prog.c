/* x then y, y then x: under PSO the first of each may come last. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define RLX memory_order_relaxed

static atomic_int x, y;

static void *first(void *u)
{
	(void)u;
	atomic_store_explicit(&x, 1, RLX);
	atomic_store_explicit(&y, 2, RLX);
	return NULL;
}

static void *second(void *u)
{
	(void)u;
	atomic_store_explicit(&y, 1, RLX);
	atomic_store_explicit(&x, 2, RLX);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(!(x == 1 && y == 1));
	return 0;
}
