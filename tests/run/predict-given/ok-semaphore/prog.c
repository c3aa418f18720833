/* A semaphore of one is a lock. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t s;
static int inside;

static void *work(void *unused)
{
	(void)unused;
	sem_wait(&s);
	inside++;
	sem_post(&s);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	sem_init(&s, 0, 1);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", inside);
	return 0;
}
