/* The signal is sent to the process: main, which waits, took it.  The worker could have, in the middle of its update. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int low, high;

static void look(int signal)
{
	(void)signal;
	if (low != high)                        /*@H*/
		abort();
}

static void *work(void *unused)
{
	low = 1;                                /*@A*/
	high = 1;                               /*@B*/
	return unused;
}

static void *ask(void *unused)
{
	kill(getpid(), SIGUSR1);
	return unused;
}

int main(void)
{
	pthread_t worker, asker;
	signal(SIGUSR1, look);
	pthread_create(&worker, NULL, work, NULL);
	pthread_create(&asker, NULL, ask, NULL);
	pthread_join(worker, NULL);
	pthread_join(asker, NULL);
	return 0;
}
