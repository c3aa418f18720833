/* pbzip2: main frees the queue when the producer is done; a consumer is between its last look and letting the lock go. */
#include <pthread.h>
#include <stdlib.h>

struct queue { pthread_mutex_t lock; int blocks; };
static struct queue *fifo;

static void *consumer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&fifo->lock);        /*@A*/
		fifo->blocks--;                         /*@B*/
		pthread_mutex_unlock(&fifo->lock);      /*@C*/
	}
	return NULL;
}

static void *other(void *unused) { return unused; }

int main(void)
{
	pthread_t worker, waited;
	fifo = malloc(sizeof *fifo);
	pthread_mutex_init(&fifo->lock, NULL);
	fifo->blocks = 2;
	pthread_create(&worker, NULL, consumer, NULL);
	pthread_create(&waited, NULL, other, NULL);
	pthread_join(waited, NULL);             /* the wrong one */
	free(fifo);                             /*@D*/
	pthread_join(worker, NULL);
	return 0;
}
