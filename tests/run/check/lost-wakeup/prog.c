/* Looked in one section, waits in another. */
#include "../relaxed.h"

static int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

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
		pthread_cond_wait(&c, &m);
		pthread_mutex_unlock(&m);
	}
	return me;
}

int main(void) { RUN(wakes, waits); return 0; }
