/* The same with stores that do not wait. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static int saw_x, saw_y;

static void *first(void *unused)
{
	(void)unused;
	atomic_store_explicit(&x, 1, memory_order_seq_cst);
	saw_y = atomic_load_explicit(&y, memory_order_seq_cst);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	atomic_store_explicit(&y, 1, memory_order_seq_cst);
	saw_x = atomic_load_explicit(&x, memory_order_seq_cst);
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
