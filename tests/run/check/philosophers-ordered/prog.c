/* Three philosophers who all take the fork of the lower number first, and count what they eat. */
#include "../relaxed.h"
#include <assert.h>

static atomic_int eaten;
static pthread_mutex_t forks[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

THREAD(eats)
{
	static const int first[3] = { 0, 1, 0 }, second[3] = { 1, 2, 2 };
	long i = (long)me;
	pthread_mutex_lock(&forks[first[i]]);
	pthread_mutex_lock(&forks[second[i]]);
	atomic_fetch_add(&eaten, 1);
	pthread_mutex_unlock(&forks[second[i]]);
	pthread_mutex_unlock(&forks[first[i]]);
	return NULL;
}

int main(void)
{
	RUN(eats, eats, eats);
	int n = LOAD(eaten);
	assert(n == 3);
	return 0;
}
