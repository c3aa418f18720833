/* A timer interrupts allocations, locks and plain code of two threads wherever they are: no handler run is lost. */
#include "../check.h"
#include <signal.h>
#include <sys/time.h>

#define RUNS 300

static volatile int runs[2];
static _Thread_local int self;
static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void tick(int number)
{
	int saved = errno;
	(void)number;
	runs[self]++;
	errno = saved;
}

static void allow(int how)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	IS(pthread_sigmask(how, &set, NULL), 0);
}

static void *works(void *who)
{
	self = who != NULL;
	allow(SIG_UNBLOCK);
	while (runs[0] + runs[1] < RUNS) {
		free(malloc(100));
		pthread_mutex_lock(&lock);
		shared++;
		pthread_mutex_unlock(&lock);
	}
	allow(SIG_BLOCK);
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct sigaction a = { .sa_handler = tick, .sa_flags = SA_RESTART };
	struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };
	allow(SIG_BLOCK);
	IS(sigaction(SIGALRM, &a, NULL), 0);
	IS(pthread_create(&t, NULL, works, &t), 0);
	IS(setitimer(ITIMER_REAL, &often, NULL), 0);
	works(NULL);
	IS(pthread_join(t, NULL), 0);
	IS(setitimer(ITIMER_REAL, &never, NULL), 0);
	printf("%d\n", runs[0] + runs[1]);
	return 0;
}
