/* A thread that waits for a semaphore nobody posts is cancelled there; its handler waits for another semaphore, undisturbed. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t never, later;
static int handled;

static void handler(void *unused)
{
	(void)unused;
	sem_wait(&later);
	handled = 1;
}

static void *waiter(void *unused)
{
	pthread_cleanup_push(handler, NULL);
	sem_wait(&never);
	pthread_cleanup_pop(0);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	sem_init(&never, 0, 0);
	sem_init(&later, 0, 0);
	pthread_create(&t, NULL, waiter, NULL);
	pthread_cancel(t);
	sem_post(&later);
	pthread_join(t, &value);
	printf("%s, %s\n", value == PTHREAD_CANCELED ? "cancelled" : "returned", handled ? "handler went on" : "no handler");
}
