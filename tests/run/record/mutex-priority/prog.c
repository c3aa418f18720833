/* Priority-inheriting mutexes, normal and errorcheck. */
#include "../check.h"

static pthread_mutex_t m;
static volatile pid_t tid;

static void *waits(void *unused)
{
	here(&tid);
	IS(pthread_mutex_lock(&m), 0);
	IS(pthread_mutex_unlock(&m), 0);
	return unused;
}

static void with(int type)
{
	pthread_t t;
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutexattr_settype(&a, type);
	IS(pthread_mutex_init(&m, &a), 0);
	tid = 0;
	IS(pthread_mutex_lock(&m), 0);
	if (type == PTHREAD_MUTEX_ERRORCHECK)
		IS(pthread_mutex_lock(&m), EDEADLK);
	IS(pthread_create(&t, NULL, waits, NULL), 0);
	asleep(&tid);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_join(t, NULL), 0);
	if (type == PTHREAD_MUTEX_ERRORCHECK)
		IS(pthread_mutex_unlock(&m), EPERM);
	IS(pthread_mutex_destroy(&m), 0);
}

int main(void)
{
	with(PTHREAD_MUTEX_NORMAL);
	with(PTHREAD_MUTEX_ERRORCHECK);
	return done();
}
