/* Nobody is interrupted: all threads block the signal, and one waits for it and takes the lock for what it does then. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static int low, high;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigset_t one;

static void *look(void *unused)
{
	int number;
	sigwait(&one, &number);
	pthread_mutex_lock(&lock);
	if (low != high)
		abort();
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *count(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		low++;
		high++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t looker, counter;
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	pthread_create(&looker, NULL, look, NULL);
	pthread_create(&counter, NULL, count, NULL);
	pthread_kill(looker, SIGUSR1);
	pthread_join(counter, NULL);
	pthread_join(looker, NULL);
	return 0;
}
