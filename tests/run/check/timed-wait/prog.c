/* Looked in one section, waits in another, but not for ever. */
#include "../relaxed.h"

static int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static const struct timespec soon = { 4000000000, 0 };

THREAD(wakes)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return me;
}

THREAD(waits)
{
	pthread_mutex_lock(&m);
	int there = ready;
	pthread_mutex_unlock(&m);
	if (!there) {
		pthread_mutex_lock(&m);
		pthread_cond_timedwait(&c, &m, &soon);
		pthread_mutex_unlock(&m);
	}
	return me;
}

int main(void) { RUN(wakes, waits); return 0; }
