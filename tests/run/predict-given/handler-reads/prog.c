/* A handler in main reads what a worker writes. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static long written;
static long shown;

static void show(int unused)
{
	(void)unused;
	shown = written;                /*@A*/
}

static void *work(void *unused)
{
	(void)unused;
	written = 512;                  /*@B*/
	return NULL;
}

int main(void)
{
	pthread_t t;
	signal(SIGUSR1, show);
	pthread_create(&t, NULL, work, NULL);
	raise(SIGUSR1);
	pthread_join(t, NULL);
	printf("%ld\n", written);
	return 0;
}
