/* Every re-lock counts; only the owner may unlock. */
#include "../check.h"

static pthread_mutex_t m;

static void *other(void *unused)
{
	IS(pthread_mutex_trylock(&m), EBUSY);
	IS(pthread_mutex_unlock(&m), EPERM);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	IS(pthread_mutex_init(&m, &a), 0);
	IS(pthread_mutex_lock(&m), 0);
	IS(pthread_mutex_lock(&m), 0);
	IS(pthread_mutex_trylock(&m), 0);
	IS(pthread_create(&t, NULL, other, NULL), 0);
	IS(pthread_join(t, NULL), 0);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_mutex_unlock(&m), EPERM);
	IS(pthread_mutex_destroy(&m), 0);
	return done();
}
