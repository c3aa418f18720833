/* Threads that end inside a signal handler, more of them than there are segments to write into. */
#include "../check.h"
#include <sched.h>
#include <signal.h>

#define THREADS 1500

static volatile int ready;
static volatile long work;

static void ends(int number)
{
	(void)number;
	pthread_exit((void *)7);
}

static void *works(void *unused)
{
	ready = 1;
	for (;;) {
		work++;
		sched_yield();
	}
	return unused;
}

int main(void)
{
	signal(SIGUSR1, ends);
	for (int i = 0; i < THREADS; i++) {
		pthread_t t;
		void *value;
		ready = 0;
		IS(pthread_create(&t, NULL, works, NULL), 0);
		while (!ready)
			sched_yield();
		IS(pthread_kill(t, SIGUSR1), 0);
		IS(pthread_join(t, &value), 0);
		CHECK(value == (void *)7);
	}
	return done();
}
