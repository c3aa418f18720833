/* The owner dies: the next one is told, repairs the state or makes the mutex useless for ever. */
#include "../check.h"

static pthread_mutex_t m;

static void *dies(void *unused)
{
	IS(pthread_mutex_lock(&m), 0);
	return unused;
}

static void owner_dies(void)
{
	pthread_t t;
	IS(pthread_create(&t, NULL, dies, NULL), 0);
	IS(pthread_join(t, NULL), 0);
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	IS(pthread_mutex_init(&m, &a), 0);
	owner_dies();
	IS(pthread_mutex_lock(&m), EOWNERDEAD);
	IS(pthread_mutex_consistent(&m), 0);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_mutex_unlock(&m), EPERM);
	owner_dies();
	IS(pthread_mutex_trylock(&m), EOWNERDEAD);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_mutex_lock(&m), ENOTRECOVERABLE);
	IS(pthread_mutex_trylock(&m), ENOTRECOVERABLE);
	return done();
}
