/* A thread ends inside a handler; others go on. */
#include "../check.h"
#include <signal.h>

static volatile int finished;

static void ends(int number)
{
	(void)number;
	finished++;
	pthread_exit((void *)7);
}

static void *raises(void *unused)
{
	raise(SIGUSR1);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	signal(SIGUSR1, ends);
	for (int i = 0; i < 3; i++) {
		IS(pthread_create(&t, NULL, raises, NULL), 0);
		IS(pthread_join(t, &value), 0);
		IS((long)value, 7);
	}
	IS(finished, 3);
	return done();
}
