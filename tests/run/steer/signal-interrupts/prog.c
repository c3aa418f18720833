/* A handler ends a wait for a semaphore with EINTR, unless it was installed with SA_RESTART; the semaphore is posted later, so
 * the other outcome is that the wait was not begun when the signal came. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

static pthread_t first;
static sem_t s;

static void handler(int number)
{
	(void)number;
}

static void *send(void *unused)
{
	pthread_kill(first, SIGUSR1);
	sem_post(&s);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct sigaction action = { .sa_handler = handler };
	first = pthread_self();
	sem_init(&s, 0, 0);
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&t, NULL, send, NULL);
	int result = sem_wait(&s) ? errno : 0;
	pthread_join(t, NULL);
	puts(result == EINTR ? "EINTR" : result ? "?" : "0");
}
