/* A semaphore that lets two in guards nothing between two. */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int inside;

static void *work(void *unused)
{
	(void)unused;
	sem_wait(&s);
	inside += 1;                    /*@A*/
	sem_post(&s);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	sem_init(&s, 0, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
