/* The signal is sent to the process, and only main takes it, when nobody else changes anything: the worker blocks it, and is waited for before it is sent. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int low, high;

static void look(int signal)
{
	(void)signal;
	if (low != high)
		abort();
}

static void *work(void *unused)
{
	sigset_t one;
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	low = 1;
	high = 1;
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
	pthread_join(worker, NULL);
	pthread_create(&asker, NULL, ask, NULL);
	pthread_join(asker, NULL);
	return 0;
}
