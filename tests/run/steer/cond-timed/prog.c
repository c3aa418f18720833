/* A timed wait that does not loop.  Its time may run out before the flag is set (0), or while the signaller holds the lock, so
 * that it finds the flag set although it was late (1); signalled, it finds the flag set.  It may also wake for no reason.  If the
 * flag was set before, it does not wait. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag;

static void *signaller(void *unused)
{
	pthread_mutex_lock(&m);
	flag = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t a;
	struct timespec soon = { .tv_sec = 4000000000 };
	pthread_create(&a, NULL, signaller, NULL);
	pthread_mutex_lock(&m);
	int result = -1;
	if (!flag)
		result = pthread_cond_timedwait(&c, &m, &soon);
	int seen = flag;
	pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	printf("%s, flag %d\n", result == ETIMEDOUT ? "ETIMEDOUT" : result < 0 ? "no wait" : result ? "?" : "0", seen);
}
