/* A thread that joins itself is told EDEADLK; a detached one cannot be joined: EINVAL. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t end;

static void *detached(void *unused)
{
	sem_wait(&end);
	return unused;
}

int main(void)
{
	pthread_t t;
	sem_init(&end, 0, 0);
	int self = pthread_join(pthread_self(), NULL);
	pthread_create(&t, NULL, detached, NULL);
	pthread_detach(t);
	int result = pthread_join(t, NULL);
	sem_post(&end);
	printf("%s %s\n", self == EDEADLK ? "EDEADLK" : "?", result == EINVAL ? "EINVAL" : "?");
}
