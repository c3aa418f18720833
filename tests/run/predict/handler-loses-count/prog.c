/* A handler counts what its thread counts too.  Where it runs between the thread's read and its write, what it counted is lost.  It was sent
 * before the thread began, so in the recorded run it came first. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static volatile int counted;

static void also(int signal)
{
	(void)signal;
	counted += 10;                          /*@H*/
}

static void *count(void *unused)
{
	(void)unused;
	int had = counted;                      /*@A*/
	counted = had + 1;                      /*@B*/
	return NULL;
}

int main(void)
{
	pthread_t counter;
	signal(SIGUSR1, also);
	pthread_create(&counter, NULL, count, NULL);
	pthread_kill(counter, SIGUSR1);
	pthread_join(counter, NULL);
	printf("%d\n", counted);
	return 0;
}
