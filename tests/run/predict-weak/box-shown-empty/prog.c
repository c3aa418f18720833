/* A box is filled and shown; whoever looks may find it empty. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box { int width, height; };
static struct box *_Atomic shared;

static void *first(void *unused)
{
	(void)unused;
	struct box *b = calloc(1, sizeof *b);
	b->width = 3;		/*@A*/
	atomic_store_explicit(&shared, b, memory_order_relaxed);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	struct box *b = atomic_load_explicit(&shared, memory_order_relaxed);
	if (b && 12 / b->width != 4)		/*@B*/
		abort();
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
