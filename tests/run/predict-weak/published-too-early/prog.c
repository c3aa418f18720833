/* Data, then a flag that says nothing about it: on some memories the flag is seen first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int data;
static atomic_int flag;

static void *first(void *unused)
{
	(void)unused;
	data = 42;		/*@A*/
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	if (atomic_load_explicit(&flag, memory_order_relaxed)) {
		assert(data == 42);		/*@B*/
	}
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
