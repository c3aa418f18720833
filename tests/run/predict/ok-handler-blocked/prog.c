/* A handler looks at two numbers that are to be the same; its thread blocks the signal while it changes them. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>

static volatile int low, high;
static sem_t over;

static void look(int signal)
{
	(void)signal;
	if (low != high)
		abort();
}

static void *count(void *unused)
{
	sigset_t one, before;
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	for (int i = 0; i < 2; i++) {
		pthread_sigmask(SIG_BLOCK, &one, &before);
		low++;
		high++;
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	while (sem_wait(&over))
		;
	return unused;
}

static void *ask(void *other)
{
	pthread_kill(*(pthread_t *)other, SIGUSR1);
	sem_post(&over);
	return NULL;
}

int main(void)
{
	static pthread_t counter, asker;
	sem_init(&over, 0, 0);
	signal(SIGUSR1, look);
	pthread_create(&counter, NULL, count, NULL);
	pthread_create(&asker, NULL, ask, &counter);
	pthread_join(asker, NULL);
	pthread_join(counter, NULL);
	return 0;
}
