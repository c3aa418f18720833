/* Publication without a release: fails when the flag reaches memory before what it publishes.  MOVED: there is more before and in it;
 * FIXED: the flag waits for what was stored before. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int value, more[4];
static atomic_int ready;
#ifdef FIXED
#define PUBLISHED memory_order_release
#else
#define PUBLISHED memory_order_relaxed
#endif

static void *publish(void *nothing)
{
#ifdef MOVED
	more[0]++;
	more[1]++;
#endif
	value = 1;
	atomic_store_explicit(&ready, 1, PUBLISHED);
	return nothing;
}

static void *use(void *failed)
{
#ifdef MOVED
	more[2]++;
#endif
	if (atomic_load_explicit(&ready, memory_order_acquire) && !value)
		*(int *)failed = 1;
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int failed = 0;
	pthread_create(&a, NULL, publish, NULL);
	pthread_create(&b, NULL, use, &failed);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return failed;
}
