/* Blocks are handed over in a queue, rightly; but on the way from the queue to its use the pointer goes through inline assembly.  What is used then
 * nobody knows from the code: no run shows a race, and that there is none is not for raddle to say. */
#include <pthread.h>
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
	__asm__ volatile("" : "+r"(b));
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
