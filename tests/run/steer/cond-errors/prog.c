/* An errorcheck mutex that the waiter does not hold: EPERM; a time that is none: EINVAL.  Neither gives the lock up. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *other(void *result)
{
	*(int *)result = pthread_mutex_trylock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a;
	struct timespec wrong = { .tv_nsec = 1000000000 };
	int tried, unheld = pthread_cond_wait(&c, &m);
	pthread_mutex_lock(&m);
	int odd = pthread_cond_timedwait(&c, &m, &wrong);
	pthread_create(&a, NULL, other, &tried);
	pthread_join(a, NULL);
	pthread_mutex_unlock(&m);
	printf("%s %s %s\n", unheld == EPERM ? "EPERM" : "?", odd == EINVAL ? "EINVAL" : "?", tried == EBUSY ? "EBUSY" : "?");
}
