/* exit by one thread ends the others wherever they wait; main joins it for nothing and never comes back. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void note(void)
{
	puts("at exit");
}

static void *leave(void *unused)
{
	exit(3);
	return unused;
}

static void *wait(void *unused)
{
	pthread_mutex_lock(&m);
	puts("not reached");
	return unused;
}

int main(void)
{
	pthread_t t, u;
	atexit(note);
	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, wait, NULL);
	pthread_create(&u, NULL, leave, NULL);
	pthread_join(u, NULL);
	puts("not reached");
}
