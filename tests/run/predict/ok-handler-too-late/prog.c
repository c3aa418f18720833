/* A handler gives back a buffer which its thread uses with the signal blocked.  In the recorded run the signal comes when that thread has ended: the handler does not run at all. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static char *volatile buffer;
static pthread_t user;

static void drop(int signal)
{
	(void)signal;
	char *old = buffer;
	buffer = NULL;
	free(old);
}

static void *use(void *unused)
{
	sigset_t set, before;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	char *mine = buffer;
	if (mine)
		mine[0] = 'x';
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return unused;
}

static void *ask(void *unused)
{
	pthread_kill(user, SIGUSR1);
	return unused;
}

int main(void)
{
	pthread_t asker;
	buffer = malloc(64);
	signal(SIGUSR1, drop);
	pthread_create(&user, NULL, use, NULL);
	pthread_create(&asker, NULL, ask, NULL);
	pthread_join(asker, NULL);
	pthread_join(user, NULL);
	return 0;
}
