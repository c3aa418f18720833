/* Each takes the fork at its left, then the one at its right. */
#include "../relaxed.h"

static pthread_mutex_t forks[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

THREAD(eat)
{
	long i = (long)me;
	pthread_mutex_lock(&forks[i]);
	pthread_mutex_lock(&forks[(i + 1) % 3]);
	pthread_mutex_unlock(&forks[(i + 1) % 3]);
	pthread_mutex_unlock(&forks[i]);
	return NULL;
}

int main(void) { RUN(eat, eat, eat); return 0; }
