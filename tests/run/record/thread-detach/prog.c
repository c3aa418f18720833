/* Detached from the start, by the creator, by itself: each ends, nobody joins. */
#include "../check.h"
#include <semaphore.h>

static sem_t s;

static void *plain(void *unused)
{
	sem_post(&s);
	return unused;
}

static void *by_itself(void *unused)
{
	IS(pthread_detach(pthread_self()), 0);
	sem_post(&s);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_attr_t a;
	IS(sem_init(&s, 0, 0), 0);
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	IS(pthread_create(&t, &a, plain, NULL), 0);
	IS(pthread_create(&t, NULL, plain, NULL), 0);
	IS(pthread_detach(t), 0);
	IS(pthread_create(&t, NULL, by_itself, NULL), 0);
	for (int i = 0; i < 3; i++)
		IS(sem_wait(&s), 0);
	pthread_exit(NULL);             /* the process ends with its last thread */
}
