/* Who comes back from a timed wait takes it for granted that it was signalled.  Depth 1: its time is up first.
 * Switches: main to waiter: 1. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *x)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_mutex_lock(&m);
	if (!ready)
		pthread_cond_timedwait(&c, &m, &until);
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
