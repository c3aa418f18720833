/* Blocks filled outside the lock are handed over by a pointer in a queue that has one.  Whoever uses a block read its address from the queue: no order in
 * which that read returns what it returned brings filling and use together, though sections of the lock may change places. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct block { int number, sum; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *queue[4];
static int put, taken;

static void *producer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		struct block *b = malloc(sizeof *b);
		b->number = i + 1;
		b->sum = 0;
		pthread_mutex_lock(&lock);
		queue[put++] = b;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static struct block *take(void)
{
	struct block *b = NULL;
	pthread_mutex_lock(&lock);
	if (taken < put)
		b = queue[taken++];
	pthread_mutex_unlock(&lock);
	return b;
}

static void *consumer(void *unused)
{
	struct block *b;
	(void)unused;
	while ((b = take())) {
		b->sum += b->number;
		free(b);
	}
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, producer, NULL);
	pthread_create(&two, NULL, consumer, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	while (taken < put)
		free(queue[taken++]);
	return 0;
}
