/* Detached threads that make detached threads: while one is being made others are on their way out of libc.  Nobody waits for ever. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#define ALL 15

static sem_t done[ALL];

static void *work(void *given)
{
	int number = *(int *)given;
	pthread_attr_t detached;
	free(given);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	for (int i = 1; i <= 2 && 2 * number + i < ALL; i++) {
		int *next = malloc(sizeof *next);
		pthread_t t;
		*next = 2 * number + i;
		if (pthread_create(&t, &detached, work, next))
			abort();
	}
	sem_post(&done[number]);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int *first = calloc(1, sizeof *first);
	for (int i = 0; i < ALL; i++)
		sem_init(&done[i], 0, 0);
	pthread_create(&t, NULL, work, first);
	pthread_detach(t);
	for (int i = 0; i < ALL; i++)
		sem_wait(&done[i]);
	printf("all\n");
	return 0;
}
