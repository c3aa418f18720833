/* A wait without a loop.  Depth 1: the waiter wakes up for no reason, as it may.  Switches: main to waiter: 1. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *x)
{
	pthread_mutex_lock(&m);
	if (!ready)
		pthread_cond_wait(&c, &m);
	assert(ready);
	pthread_mutex_unlock(&m);
	return x;
}

static void *other(void *x)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, waiter, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
