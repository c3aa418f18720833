/* A server's shape: the first thread waits for signals by sigwait, the others for work. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stop;

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!stop)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t t;
	sigset_t set;
	int number;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, work, NULL);
	FILE *ready = fopen("ready", "w");
	fprintf(ready, "%d\n", getpid());
	fclose(ready);
	do {
		sigwait(&set, &number);
		puts(number == SIGHUP ? "HUP" : "TERM");
		fflush(stdout);
	} while (number == SIGHUP);
	pthread_mutex_lock(&lock);
	stop = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
