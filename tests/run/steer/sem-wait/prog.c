/* A wait lets the post be first.  There is no other order. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static sem_t s;
static atomic_int posted;

static void *post(void *unused)
{
	posted = 1;
	sem_post(&s);
	return unused;
}

int main(void)
{
	pthread_t t;
	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, post, NULL);
	sem_wait(&s);
	printf("posted %d\n", posted);
	pthread_join(t, NULL);
}
