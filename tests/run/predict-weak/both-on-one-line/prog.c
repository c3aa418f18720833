/* Data, then a pointer to it that says nothing about it, on one line each. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box { int size; };
static struct box box;
static _Atomic(struct box *) shown;

static void *show(void *unused)
{
	box.size = 7; atomic_store_explicit(&shown, &box, memory_order_relaxed);
	return unused;
}

static void *look(void *unused)
{
	struct box *b = atomic_load_explicit(&shown, memory_order_relaxed); if (b && b->size != 7) abort();
	return unused;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, show, NULL);
	pthread_create(&two, NULL, look, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
