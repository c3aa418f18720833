/* sigwait takes a blocked signal out of the pending ones: no handler runs, none is lost. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int handled;

static void handler(int number)
{
	(void)number;
	handled++;
}

static void *send(void *unused)
{
	kill(getpid(), SIGUSR1);
	return unused;
}

int main(void)
{
	pthread_t t;
	sigset_t set;
	int number = 0;
	signal(SIGUSR1, handler);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, send, NULL);
	sigwait(&set, &number);
	pthread_join(t, NULL);
	printf("got %s, handler %d\n", number == SIGUSR1 ? "USR1" : "?", handled);
}
