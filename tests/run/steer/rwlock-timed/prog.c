/* Timed locks of both modes while somebody writes: in time, or ETIMEDOUT.  They do not depend on each other: the first may be late
 * and the second in time, or the other way round only if the writer comes between them. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *unused)
{
	pthread_rwlock_wrlock(&l);
	pthread_rwlock_unlock(&l);
	return unused;
}

static const char *word(int result)
{
	return result == ETIMEDOUT ? "ETIMEDOUT" : result ? "?" : "0";
}

int main(void)
{
	pthread_t a;
	struct timespec soon = { .tv_sec = 4000000000 };
	pthread_create(&a, NULL, writer, NULL);
	int r = pthread_rwlock_timedrdlock(&l, &soon);
	if (!r)
		pthread_rwlock_unlock(&l);
	int w = pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &soon);
	if (!w)
		pthread_rwlock_unlock(&l);
	pthread_join(a, NULL);
	printf("%s %s\n", word(r), word(w));
}
