/* A mutex with a priority ceiling: libc raises the priority of whoever takes it, which a thread of the usual scheduling policy
 * cannot have: both are refused with EINVAL, whoever comes first. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m;

static const char *word(int result)
{
	return result == EINVAL ? "EINVAL" : result ? "?" : "0";
}

static void *lock(void *result)
{
	*(int *)result = pthread_mutex_lock(&m);
	if (!*(int *)result)
		pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a;
	pthread_mutexattr_t attr;
	int here, there;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
	pthread_mutexattr_setprioceiling(&attr, 5);
	pthread_mutex_init(&m, &attr);
	pthread_create(&a, NULL, lock, &there);
	here = pthread_mutex_trylock(&m);
	if (!here)
		pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	printf("%s %s\n", word(here), word(there));
}
