/* Two take two locks in opposite orders.  FOR_EVER of them wait for the second one for ever; the others give up after a second, give back what they have and
 * begin again: a circle one of them is in opens by itself. */
#include <pthread.h>
#include <time.h>

#ifndef FOR_EVER
#define FOR_EVER 0
#endif

struct both { pthread_mutex_t *first, *second; int for_ever; };

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int done;

static int takes_second(struct both *b)
{
	struct timespec until;
	if (b->for_ever)
		return pthread_mutex_lock(b->second);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	return pthread_mutex_timedlock(b->second, &until);
}

static void *takes_both(void *p)
{
	struct both *b = p;
	pthread_mutex_lock(b->first);
	while (takes_second(b)) {
		pthread_mutex_unlock(b->first);
		pthread_mutex_lock(b->first);
	}
	done++;
	pthread_mutex_unlock(b->second);
	pthread_mutex_unlock(b->first);
	return NULL;
}

int main(void)
{
	struct both one = { &left, &right, FOR_EVER > 0 }, two = { &right, &left, FOR_EVER > 1 };
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, takes_both, &one);
	pthread_create(&threads[1], NULL, takes_both, &two);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return done == 2 ? 0 : 1;
}
