/* Peterson's algorithm with a store that may still wait when the other's flag is looked at: both come in.  Only a look while the other is inside shows it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef STORE
#define STORE memory_order_release
#endif

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *arg)
{
	int me = arg != NULL, other = !me;
	atomic_store_explicit(&wants[me], 1, STORE);
	atomic_store_explicit(&turn, other, STORE);
	for (int i = 0; atomic_load_explicit(&wants[other], memory_order_seq_cst) && atomic_load_explicit(&turn, memory_order_seq_cst) == other; i++)
		if (i > 3)
			return NULL;
	int here = ++inside;
	assert(here == 1);
	inside--;
	atomic_store_explicit(&wants[me], 0, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, enter, NULL);
	pthread_create(&two, NULL, enter, &two);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
