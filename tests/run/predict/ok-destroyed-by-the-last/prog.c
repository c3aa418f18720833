/* Whoever is the last to give its share back, under the mutex, destroys the mutex and the semaphore beside it: nobody uses them any more. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static struct object { pthread_mutex_t lock; sem_t done; int shares, sum; } *object;

static void *works(void *arg)
{
	pthread_mutex_lock(&object->lock);
	object->sum += 2;
	int left = --object->shares;
	pthread_mutex_unlock(&object->lock);
	sem_post(&object->done);
	(void)left;
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	object = calloc(1, sizeof *object);
	pthread_mutex_init(&object->lock, NULL);
	sem_init(&object->done, 0, 0);
	object->shares = 2;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, works, NULL);
	for (int i = 0; i < 2; i++)
		sem_wait(&object->done);
	pthread_mutex_destroy(&object->lock);
	sem_destroy(&object->done);
	free(object);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
