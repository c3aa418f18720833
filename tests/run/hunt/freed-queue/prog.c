/* pbzip2's queue, written afresh: main destroys the queue when all input is handed out, while the consumer may still be about to look at
 * it once more.  Depth 2: the consumer is stopped between telling main that it is done and its last look.
 * Switches: main to the consumer, which posts, main frees and joins, the consumer looks: 3 (the first one because main waits). */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct queue { pthread_mutex_t lock; int items, closed; };

static struct queue *queue;
static sem_t done;

static void *consumer(void *x)
{
	for (;;) {
		pthread_mutex_lock(&queue->lock);
		int items = queue->items;
		if (items)
			queue->items--;
		pthread_mutex_unlock(&queue->lock);
		if (items == 1)
			sem_post(&done);
		if (!items)
			return x;
	}
}

int main(void)
{
	pthread_t t;
	sem_init(&done, 0, 0);
	queue = calloc(1, sizeof *queue);
	pthread_mutex_init(&queue->lock, NULL);
	queue->items = 2;
	pthread_create(&t, NULL, consumer, NULL);
	sem_wait(&done);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
	pthread_join(t, NULL);
	return 0;
}
