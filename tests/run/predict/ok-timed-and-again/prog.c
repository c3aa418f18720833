/* Two take two locks in opposite orders.  Who does not get its second one in time gives back the first and begins again: with some luck, and without
 * anybody who always chooses the worst, both come through. */
#include <pthread.h>
#include <time.h>

struct both { pthread_mutex_t *first, *second; };

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *takes_both(void *p)
{
	struct both *b = p;
	for (;;) {
		struct timespec until;
		pthread_mutex_lock(b->first);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
		if (pthread_mutex_timedlock(b->second, &until) == 0)
			break;
		pthread_mutex_unlock(b->first);
	}
	done++;
	pthread_mutex_unlock(b->second);
	pthread_mutex_unlock(b->first);
	return NULL;
}

int main(void)
{
	struct both one = { &left, &right }, two = { &right, &left };
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, takes_both, &one);
	pthread_create(&threads[1], NULL, takes_both, &two);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return done == 2 ? 0 : 1;
}
