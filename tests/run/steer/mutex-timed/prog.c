/* A timed lock of a mutex that is held for a while: its time may run out, but only while somebody holds it.  A mutex that nobody
 * holds is never late.  A time that is none is refused, if it is looked at: libc takes a free mutex first. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t a;
	struct timespec soon = { .tv_sec = 4000000000 }, wrong = { .tv_nsec = -1 };
	pthread_create(&a, NULL, hold, NULL);
	int result = pthread_mutex_timedlock(&m, &soon);
	int free = pthread_mutex_timedlock(&other, &soon);
	pthread_mutex_unlock(&other);
	int odd = pthread_mutex_timedlock(&other, &wrong);
	if (!result)
		pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	printf("%s %d %d\n", result == ETIMEDOUT ? "ETIMEDOUT" : result ? "?" : "0", free, odd);
}
