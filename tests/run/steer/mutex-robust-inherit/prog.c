/* A robust mutex with priority inheritance whose owner ended: EOWNERDEAD, made consistent it is usable again by everybody. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m;

static void *die(void *unused)
{
	pthread_mutex_lock(&m);
	return unused;
}

static void *use(void *result)
{
	*(int *)result = pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return NULL;
}

static int lock(void)
{
	int result = pthread_mutex_lock(&m);
	if (result == EOWNERDEAD)
		pthread_mutex_consistent(&m);
	pthread_mutex_unlock(&m);
	return result;
}

static const char *word(int result, const char *none)
{
	return result == EOWNERDEAD ? "EOWNERDEAD" : result ? "?" : none;
}

int main(void)
{
	pthread_t a;
	pthread_mutexattr_t attr;
	int other;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&m, &attr);
	pthread_create(&a, NULL, die, NULL);
	int first = lock();
	pthread_join(a, NULL);
	int later = lock();
	pthread_create(&a, NULL, use, &other);
	pthread_join(a, NULL);
	printf("%s, then %s, other %d\n", word(first, "first"), word(later, "0"), other);
}
