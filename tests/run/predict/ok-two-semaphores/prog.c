/* One slot, one semaphore for full and one for empty. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t full, empty;
static int slot, sum;

static void *producer(void *unused)
{
	(void)unused;
	for (int i = 1; i <= 3; i++) {
		sem_wait(&empty);
		slot = i;
		sem_post(&full);
	}
	return NULL;
}

static void *consumer(void *unused)
{
	(void)unused;
	for (int i = 1; i <= 3; i++) {
		sem_wait(&full);
		sum += slot;
		sem_post(&empty);
	}
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	sem_init(&full, 0, 0);
	sem_init(&empty, 0, 1);
	pthread_create(&one, NULL, producer, NULL);
	pthread_create(&two, NULL, consumer, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d\n", sum);
	return 0;
}
