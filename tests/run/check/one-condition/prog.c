/* Two who put and two who take, room for one, and one condition for both: a signal may wake who cannot go on, and is lost. */
#include "../relaxed.h"

static int full;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void make(int then)
{
	pthread_mutex_lock(&m);
	while (full == then)
		pthread_cond_wait(&c, &m);
	full = then;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
}

THREAD(puts_one) { make(1); return me; }
THREAD(takes_one) { make(0); return me; }

int main(void) { RUN(puts_one, puts_one, takes_one, takes_one); return 0; }
