/* How many blocks come first hangs on a number: where that is wrong the block another thread is given lies elsewhere, but is the same block.
 * No loop hangs on what a fault may change: none goes on for ever. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; long value; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static long sums[2];
static volatile int counts[3] = { 1, 2, 3 };

static void *taker(void *arg)
{
	long me = (long)arg & 1;
	pthread_mutex_lock(&lock);
	sums[me] = list->value + list->next->value + list->next->next->value;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void one_more(void)
{
	if (!malloc(48))
		exit(1);
}

static void others(int count)
{
	if (count & 1)
		one_more();
	if (count & 2)
		one_more();
	if (count & 4)
		one_more();
}

static void add(long value)
{
	struct node *n = malloc(sizeof *n);
	n->next = list;
	n->value = value;
	list = n;
}

int main(void)
{
	pthread_t first, second;
	pthread_mutex_lock(&lock);
	pthread_create(&first, NULL, taker, (void *)0);
	pthread_create(&second, NULL, taker, (void *)1);
	others(counts[0]);
	add(1);
	others(counts[1]);
	add(2);
	others(counts[2]);
	add(3);
	pthread_mutex_unlock(&lock);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	printf("%ld %ld\n", sums[0], sums[1]);
	return 0;
}
