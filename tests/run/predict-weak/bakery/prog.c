/* Lamport's bakery for two: each draws a number, and waits for a lower one.  A number that waits to be seen lets both in. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef STORE
#define STORE memory_order_release
#endif

static atomic_int choosing[2], number[2];
static int inside;

static int is_before(int other, int me)
{
	int his = atomic_load_explicit(&number[other], memory_order_seq_cst), mine = atomic_load_explicit(&number[me], memory_order_seq_cst);
	return his && (his < mine || (his == mine && other < me));
}

static void *enter(void *arg)
{
	int me = arg != NULL, other = !me, i;
	atomic_store_explicit(&choosing[me], 1, STORE);
	atomic_store_explicit(&number[me], atomic_load_explicit(&number[other], memory_order_seq_cst) + 1, STORE);
	atomic_store_explicit(&choosing[me], 0, STORE);
	for (i = 0; atomic_load_explicit(&choosing[other], memory_order_seq_cst); i++)
		if (i > 3)
			return NULL;
	for (i = 0; is_before(other, me); i++)
		if (i > 3)
			return NULL;
	int here = ++inside;
	assert(here == 1);
	inside--;
	atomic_store_explicit(&number[me], 0, memory_order_release);
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
