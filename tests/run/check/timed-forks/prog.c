/* Three philosophers; who does not get the second fork in time gives the first one back. */
#include "../relaxed.h"

static atomic_int eaten;
static pthread_mutex_t forks[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static const struct timespec soon = { 4000000000, 0 };

THREAD(eats)
{
	long i = (long)me;
	pthread_mutex_lock(&forks[i]);
	if (pthread_mutex_timedlock(&forks[(i + 1) % 3], &soon) == 0) {
		if (i == 0) {
			int n = LOAD(eaten);
			STORE(eaten, n + 1);
		}
		pthread_mutex_unlock(&forks[(i + 1) % 3]);
	}
	pthread_mutex_unlock(&forks[i]);
	return NULL;
}

int main(void) { RUN(eats, eats, eats); LOAD(eaten); return 0; }
