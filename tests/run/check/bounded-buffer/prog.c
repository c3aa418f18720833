/* Two who put and two who take, two things each, room for one; the right way of waiting. */
#include "../relaxed.h"

static int full;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, things = PTHREAD_COND_INITIALIZER;

THREAD(puts_two)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		while (full)
			pthread_cond_wait(&room, &m);
		full = 1;
		pthread_cond_signal(&things);
		pthread_mutex_unlock(&m);
	}
	return me;
}

THREAD(takes_two)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		while (!full)
			pthread_cond_wait(&things, &m);
		full = 0;
		pthread_cond_signal(&room);
		pthread_mutex_unlock(&m);
	}
	return me;
}

int main(void) { RUN(puts_two, puts_two, takes_two, takes_two); return 0; }
