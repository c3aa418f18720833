/* A handler only says that it ran; its thread looks at that, and says how often it had to. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t asked;
static sem_t over;

static void note(int signal)
{
	(void)signal;
	asked = 1;
}

static void *work(void *unused)
{
	for (int i = 0; i < 3 && !asked; i++)
		;
	while (sem_wait(&over))
		;
	if (asked)
		asked = 0;
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
	static pthread_t worker, asker;
	sem_init(&over, 0, 0);
	signal(SIGUSR1, note);
	pthread_create(&worker, NULL, work, NULL);
	pthread_create(&asker, NULL, ask, &worker);
	pthread_join(asker, NULL);
	pthread_join(worker, NULL);
	puts("done");
	return 0;
}
