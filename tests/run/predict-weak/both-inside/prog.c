/* Mutual exclusion by two flags, of which each may be seen late. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int wants[2];
static int inside, entered;

static void *first(void *unused)
{
	(void)unused;
	atomic_store_explicit(&wants[0], 1, memory_order_release);		/*@A*/
	if (!atomic_load_explicit(&wants[1], memory_order_acquire)) {
		inside++;
		entered++;
		assert(inside == 1);
		inside--;
	}
	atomic_store_explicit(&wants[0], 0, memory_order_release);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	atomic_store_explicit(&wants[1], 1, memory_order_release);
	if (!atomic_load_explicit(&wants[0], memory_order_acquire)) {		/*@B*/
		inside++;
		entered++;
		assert(inside == 1);
		inside--;
	}
	atomic_store_explicit(&wants[1], 0, memory_order_release);
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
