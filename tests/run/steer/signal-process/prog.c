/* A signal to the process is taken by any thread that does not block it: here main or the other one; blocked in main, only by
 * the other one. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static pthread_t first;
static atomic_int by;
static sem_t taken;

static void handler(int number)
{
	(void)number;
	by = pthread_equal(pthread_self(), first) ? 1 : 2;
	sem_post(&taken);
}

static void *wait(void *unused)
{
	while (sem_wait(&taken))
		;
	sem_post(&taken);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	first = pthread_self();
	sem_init(&taken, 0, 0);
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&t, NULL, wait, NULL);
	kill(getpid(), SIGUSR1);
	while (sem_wait(&taken))
		;
	sem_post(&taken);
	pthread_join(t, NULL);
	printf("taken by %s\n", by == 1 ? "main" : "thread");
}
