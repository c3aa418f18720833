#include "../two.h"
#include <signal.h>
#include <semaphore.h>

static int right, own;
static volatile sig_atomic_t came;
static sem_t ready;

static void handler(int n) { own += n; came = right; }

static void *a(void *x)
{
	own++;
	sem_post(&ready);
	while (!came)
		sched_yield();
	own++;
	return x;
}

int main(void)
{
	pthread_t t;
	struct sigaction action = { .sa_handler = handler };
	sigaction(SIGUSR1, &action, NULL);
	sem_init(&ready, 0, 0);
	pthread_create(&t, NULL, a, NULL);
	sem_wait(&ready);
	right = 1;
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	return own - 12;
}
