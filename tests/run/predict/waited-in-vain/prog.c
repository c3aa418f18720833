/* One waits for news, in vain, until its time is up; the other has long counted and gone through the lock when that happens.  The time may
 * be up before. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static int total, lines;

static void *waits(void *unused)
{
	struct timespec until;
	(void)unused;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_mutex_lock(&m);
	while (!lines && pthread_cond_timedwait(&news, &m, &until) != ETIMEDOUT)
		;
	pthread_mutex_unlock(&m);
	total++;                                /*@A*/
	return NULL;
}

static void *counts(void *unused)
{
	(void)unused;
	total++;                                /*@B*/
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, waits, NULL);
	pthread_create(&two, NULL, counts, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
