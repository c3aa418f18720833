/* The signal is sent to the process, and main takes it: it may be in the middle of moving from one account to the other. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile int mine = 100, yours;

static void audit(int signal)
{
	(void)signal;
	assert(mine + yours == 100);
}

static void *ask(void *unused)
{
	sigset_t one;
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	kill(getpid(), SIGUSR1);
	return unused;
}

int main(void)
{
	pthread_t asker;
	signal(SIGUSR1, audit);
	pthread_create(&asker, NULL, ask, NULL);
	mine -= 30;
	yours += 30;
	pthread_join(asker, NULL);
	return 0;
}
