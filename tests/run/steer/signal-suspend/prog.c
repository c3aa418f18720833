/* sigsuspend opens the mask and waits in one step: the signal cannot slip in between. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int handled;
static pthread_t first;

static void handler(int number)
{
	(void)number;
	handled++;
}

static void *send(void *unused)
{
	pthread_kill(first, SIGUSR1);
	return unused;
}

int main(void)
{
	pthread_t t;
	sigset_t set, before;
	first = pthread_self();
	signal(SIGUSR1, handler);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	pthread_create(&t, NULL, send, NULL);
	int result = 0;
	while (!handled)
		result = sigsuspend(&before) < 0 ? errno : 0;
	pthread_join(t, NULL);
	printf("%s, handler %d\n", result == EINTR ? "EINTR" : "?", handled);
}
