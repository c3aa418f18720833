/* Without that one step the signal may come between the test and the pause: then it waits for ever. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

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
	first = pthread_self();
	signal(SIGUSR1, handler);
	pthread_create(&t, NULL, send, NULL);
	if (!handled)
		pause();
	pthread_join(t, NULL);
	printf("handler %d\n", handled);
}
