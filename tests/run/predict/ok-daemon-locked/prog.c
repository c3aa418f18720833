/* A daemon that is never joined counts under a lock, which the exit handler takes too; nothing is given back that it uses. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void *count(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&m);
		rounds++;
		pthread_mutex_unlock(&m);
		usleep(500);
	}
	return unused;
}

static void tell(void)
{
	pthread_mutex_lock(&m);
	int so_far = rounds;
	pthread_mutex_unlock(&m);
	fprintf(stderr, "%d rounds\n", so_far);
}

int main(void)
{
	pthread_t daemon;
	atexit(tell);
	pthread_create(&daemon, NULL, count, NULL);
	pthread_detach(daemon);
	return 0;
}
