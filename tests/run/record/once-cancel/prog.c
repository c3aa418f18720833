/* The thread that runs the routine is cancelled in it: the next one runs it again. */
#include "../check.h"

static pthread_once_t o = PTHREAD_ONCE_INIT;
static int runs;

static void routine(void)
{
	if (runs++ == 0) {
		pthread_cancel(pthread_self());
		pthread_testcancel();
	}
}

static void *first(void *unused)
{
	pthread_once(&o, routine);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	IS(pthread_create(&t, NULL, first, NULL), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == PTHREAD_CANCELED && runs == 1);
	IS(pthread_once(&o, routine), 0);
	CHECK(runs == 2);
	IS(pthread_once(&o, routine), 0);
	CHECK(runs == 2);
	return done();
}
