/* Built once for each way.  A block is filled, then handed over by a slot; in another order it is put there before, by a thread that was given it when it began, or in
 * the round before. */
#include <pthread.h>
#include <stdlib.h>

#ifndef WAY
#define WAY given
#endif

int *slot, *nowhere, go, stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(int **where, int *block)
{
	pthread_mutex_lock(&lock);
	*where = block;
	pthread_mutex_unlock(&lock);
}

static int get_both(void)
{
	pthread_mutex_lock(&lock);
	int is = go & stop;
	pthread_mutex_unlock(&lock);
	return is;
}

static void set(int *which)
{
	pthread_mutex_lock(&lock);
	*which = 1;
	pthread_mutex_unlock(&lock);
}

static void *puts_if_both(void *block)
{
	if (get_both())
		put(&slot, block);
	return NULL;
}

static void *given(void *unused)
{
	int *block = malloc(sizeof *block);
	pthread_t thread;
	pthread_create(&thread, NULL, puts_if_both, block);
	*block = 5;
	put(&slot, block);
	pthread_join(thread, NULL);
	return unused;
}

static void *in_rounds(void *unused)
{
	int *block = malloc(sizeof *block);
	for (int i = 0; i < 2; i++) {
		int now = get_both() | i;
		put(now ? &slot : &nowhere, now ? block : NULL);
		if (!i)
			*block = 5;
	}
	return unused;
}

static void *uses(void *unused)
{
	pthread_mutex_lock(&lock);
	int *block = slot;
	pthread_mutex_unlock(&lock);
	if (block)
		*block = 6;
	return unused;
}

static void *sets(void *unused) { set(&go); set(&stop); return unused; }

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, WAY, NULL);
	pthread_create(&threads[1], NULL, uses, NULL);
	pthread_create(&threads[2], NULL, sets, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
