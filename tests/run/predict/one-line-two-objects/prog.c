/* One line touches two things: a buffer that only one thread has at a time, taken from a list under a lock, and a counter nobody guards.
 * That the counter races says nothing of the buffer. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct buffer { long fill; struct buffer *next; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer *spare;
static long filled;

static struct buffer *buffer_take(void)
{
	pthread_mutex_lock(&lock);
	struct buffer *b = spare;
	spare = b->next;
	pthread_mutex_unlock(&lock);
	return b;
}

static void buffer_give(struct buffer *b)
{
	pthread_mutex_lock(&lock);
	b->next = spare;
	spare = b;
	pthread_mutex_unlock(&lock);
}

static void *fills(void *unused)
{
	struct buffer *b = buffer_take();
	b->fill += 3; filled++;
	buffer_give(b);
	return unused;
}

int main(void)
{
	pthread_t filling[2];
	for (int i = 0; i < 3; i++) {
		struct buffer *b = calloc(1, sizeof *b);
		b->next = spare;
		spare = b;
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&filling[i], NULL, fills, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(filling[i], NULL);
	printf("%ld\n", filled);
	return 0;
}
