/* The routine is left by cancellation: the next one runs it again.  The thread that is cancelled waits in it; the request may
 * also come so late that the other thread... cannot have passed: it waits for the routine or runs it itself first, and then
 * the one that is to be cancelled passes without running it and is cancelled at its own test. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static _Thread_local int victim;
static atomic_int runs;
static sem_t never;

static void routine(void)
{
	runs++;
	if (victim)
		sem_wait(&never);
}

static void *go(void *unused)
{
	victim = 1;
	pthread_once(&control, routine);
	pthread_testcancel();
	return unused;
}

int main(void)
{
	pthread_t t;
	sem_init(&never, 0, 0);
	pthread_create(&t, NULL, go, NULL);
	pthread_cancel(t);
	pthread_once(&control, routine);
	pthread_join(t, NULL);
	printf("runs %d\n", runs);
}
