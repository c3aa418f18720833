/* A semaphore is a lock in each of two rounds; the first one is used up at its end, and another is made where it was. */
#include <pthread.h>
#include <semaphore.h>

static sem_t one;
static int count;

static void *add(void *unused)
{
	sem_wait(&one);
	count++;
	sem_post(&one);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	for (int round = 0; round < 2; round++) {
		sem_init(&one, 0, 1);
		pthread_create(&a, NULL, add, NULL);
		pthread_create(&b, NULL, add, NULL);
		pthread_join(a, NULL);
		pthread_join(b, NULL);
		sem_wait(&one);
		sem_destroy(&one);
	}
	return count != 4;
}
