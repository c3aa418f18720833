/* Parcels change hands through a queue of two; who takes one out frees it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, mail = PTHREAD_COND_INITIALIZER;
static int *box[2];
static int put, taken;

static void *first(void *unused)
{
	(void)unused;
	for (int i = 0; i < 4; i++) {
		int *parcel = malloc(sizeof *parcel);
		*parcel = i;
		pthread_mutex_lock(&m);
		while (put - taken == 2)
			pthread_cond_wait(&room, &m);
		box[put++ % 2] = parcel;
		pthread_cond_signal(&mail);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	int sum = 0;
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&m);
		while (put == taken)
			pthread_cond_wait(&mail, &m);
		int *parcel = box[taken++ % 2];
		pthread_cond_signal(&room);
		pthread_mutex_unlock(&m);
		sum += *parcel;
		free(parcel);
	}
	printf("%d\n", sum);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
