/* A mutex with priority inheritance is a mutex: one owner, EBUSY, EDEADLK for an errorcheck one. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m;
static int again;

static void *hold(void *unused)
{
	pthread_mutex_lock(&m);
	again = pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t a;
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&m, &attr);
	pthread_create(&a, NULL, hold, NULL);
	int result = pthread_mutex_trylock(&m);
	if (!result)
		pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	printf("%s %s\n", result == EBUSY ? "EBUSY" : result ? "?" : "taken", again == EDEADLK ? "EDEADLK" : "?");
}
