/* Two take two of two places each, one after the other: each may have one and wait for the second.  Beside them a daemon waits for work, which never comes, and is meant to:
 * no wake-up of its is lost. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static sem_t places;

static void *serves(void *unused)
{
	pthread_mutex_lock(&m);
	for (;;)
		pthread_cond_wait(&work, &m);
	return unused;
}

static void *takes_two(void *unused)
{
	sem_wait(&places);
	sem_wait(&places);                      /*@S*/
	sem_post(&places);
	sem_post(&places);
	return unused;
}

int main(void)
{
	pthread_t daemon, t[2];
	sem_init(&places, 0, 2);
	pthread_create(&daemon, NULL, serves, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, takes_two, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
