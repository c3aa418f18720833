/* Each says it is there, then looks for the other one: with stores that wait neither sees the other. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static int saw_x, saw_y;

static void *first(void *unused)
{
	(void)unused;
	atomic_store_explicit(&x, 1, memory_order_release);		/*@A*/
	saw_y = atomic_load_explicit(&y, memory_order_acquire);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	atomic_store_explicit(&y, 1, memory_order_release);
	saw_x = atomic_load_explicit(&x, memory_order_acquire);		/*@B*/
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(saw_x || saw_y);
	return 0;
}
