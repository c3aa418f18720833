/* Two threads that share a balance; which they are the build says.
 *   ordered   the reader looks at it only if the writer has been through its section: no order races
 *   hidden    both write it, one before its section and one behind: they race if the other section comes first, which the first run does not do
 *   mixed     one reads it atomically, one writes it plainly
 *   readers   nobody writes it
 *   flag      written, and a flag set behind a section: read by who sees the flag, which says nothing to C11 but is no race under SC, TSO and PSO */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sections;
static atomic_int set;
_Atomic int shared;
#define PLAIN (*(int *)&shared)

#ifndef readers
static void *one(void *me)
{
	PLAIN = 1;
	pthread_mutex_lock(&m);
	sections++;
	pthread_mutex_unlock(&m);
	atomic_store_explicit(&set, 1, memory_order_relaxed);
	return me;
}
#else
static void *one(void *me) { return (char *)me + PLAIN; }
#endif

static void *other(void *me)
{
#ifdef ordered
	pthread_mutex_lock(&m);
	int n = sections;
	pthread_mutex_unlock(&m);
	return n ? (char *)me + PLAIN : me;
#elif defined hidden
	pthread_mutex_lock(&m);
	sections += 2;
	pthread_mutex_unlock(&m);
	PLAIN = 2;
	return me;
#elif defined mixed
	return (char *)me + atomic_load_explicit(&shared, memory_order_relaxed);
#elif defined readers
	return (char *)me + PLAIN;
#else
	return atomic_load_explicit(&set, memory_order_relaxed) ? (char *)me + PLAIN : me;
#endif
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
