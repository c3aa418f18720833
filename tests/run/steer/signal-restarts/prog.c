/* The same with SA_RESTART: the wait goes on. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_t first;
static atomic_int handled;
static sem_t s;

static void handler(int number)
{
	(void)number;
	handled++;
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
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	first = pthread_self();
	sem_init(&s, 0, 0);
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&t, NULL, send, NULL);
	int result = sem_wait(&s) ? errno : 0;
	pthread_join(t, NULL);
	printf("%d, handler %d\n", result, handled);
}
