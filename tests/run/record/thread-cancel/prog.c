/* Cancelled while asleep, while cancellation is off, asynchronously. */
#include "../check.h"

static volatile pid_t tid;
static volatile int spinning;

static void *sleeps(void *unused)
{
	here(&tid);
	sleep(1000);
	return unused;
}

static void *puts_off(void *unused)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	IS(pthread_cancel(pthread_self()), 0);
	IS(usleep(1), 0);
	(void)unused;
	return (void *)3;
}

static void *spins(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	spinning = 1;
	for (;;)
		;
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	IS(pthread_create(&t, NULL, sleeps, NULL), 0);
	asleep(&tid);
	IS(pthread_cancel(t), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == PTHREAD_CANCELED);
	IS(pthread_create(&t, NULL, puts_off, NULL), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == (void *)3);
	IS(pthread_create(&t, NULL, spins, NULL), 0);
	while (!spinning)
		sched_yield();
	IS(pthread_cancel(t), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == PTHREAD_CANCELED);
	return done();
}
