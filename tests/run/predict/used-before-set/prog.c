/* The limit is set by one thread and used by another, each under the lock: no race, nothing in between, but nobody sees to it that it is set first. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit, served;

static void *configure(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	limit = 3; /*@A*/
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *serve(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	int most = limit; /*@B*/
	pthread_mutex_unlock(&lock);
	if (most < 1) {
		fprintf(stderr, "no limit\n");
		exit(1);
	}
	served = most;
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, configure, NULL);
	pthread_create(&two, NULL, serve, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return served != 3;
}
