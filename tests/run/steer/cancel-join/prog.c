/* A thread cancelled while it joins gives the join up: another may join the same thread.
 * It may have been cancelled before it came to join, or have joined already: then the other is told ESRCH or EINVAL by a real
 * system, so here the third thread cannot end before. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t end;
static pthread_t third;

static void *wait(void *unused)
{
	sem_wait(&end);
	return unused;
}

static void *join(void *unused)
{
	pthread_join(third, NULL);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	sem_init(&end, 0, 0);
	pthread_create(&third, NULL, wait, NULL);
	pthread_create(&t, NULL, join, NULL);
	pthread_cancel(t);
	pthread_join(t, &value);
	sem_post(&end);
	int result = pthread_join(third, NULL);
	printf("%s, joined %d\n", value == PTHREAD_CANCELED ? "cancelled" : "returned", result);
}
