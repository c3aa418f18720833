/* An errorcheck mutex refuses what would deadlock and what is not ours. */
#include "../check.h"

static pthread_mutex_t m;

static void *other(void *unused)
{
	IS(pthread_mutex_unlock(&m), EPERM);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_mutexattr_t a;
	struct timespec late = after(CLOCK_REALTIME, 1);
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
	IS(pthread_mutex_init(&m, &a), 0);
	IS(pthread_mutex_unlock(&m), EPERM);
	IS(pthread_mutex_lock(&m), 0);
	IS(pthread_mutex_lock(&m), EDEADLK);
	IS(pthread_mutex_timedlock(&m, &late), EDEADLK);
	IS(pthread_mutex_trylock(&m), EBUSY);
	IS(pthread_create(&t, NULL, other, NULL), 0);
	IS(pthread_join(t, NULL), 0);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_mutex_destroy(&m), 0);
	return done();
}
