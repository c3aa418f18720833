/* A signal handler interrupts a wait. */
#include "../check.h"
#include <semaphore.h>
#include <signal.h>

static sem_t s;
static volatile pid_t tid;

static void handler(int number)
{
	(void)number;
}

static void *waits(void *unused)
{
	here(&tid);
	errno = 0;
	IS(sem_wait(&s), -1);
	IS(errno, EINTR);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct sigaction a = { .sa_handler = handler };
	sigaction(SIGUSR1, &a, NULL);
	IS(sem_init(&s, 0, 0), 0);
	IS(pthread_create(&t, NULL, waits, NULL), 0);
	asleep(&tid);
	IS(pthread_kill(t, SIGUSR1), 0);
	IS(pthread_join(t, NULL), 0);
	return done();
}
