/* One post, two who try: exactly one gets it, for the one that posts tries afterwards. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t s;

static void *try(void *got)
{
	*(int *)got = sem_trywait(&s) == 0;
	if (!*(int *)got && errno != EAGAIN)
		puts("wrong errno");
	return NULL;
}

int main(void)
{
	pthread_t t;
	int a, b, left;
	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, try, &b);
	sem_post(&s);
	try(&a);
	pthread_join(t, NULL);
	sem_getvalue(&s, &left);
	printf("%d %d, left %d\n", a, b, left);
}
