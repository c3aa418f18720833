/* How many blocks come first hangs on a number: where that is wrong the block another thread is given lies elsewhere, but is the same block. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; long value; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static long sums[2];

static void *taker(void *arg)
{
	long me = (long)arg;
	pthread_mutex_lock(&lock);
	for (struct node *n = list; n; n = n->next)
		sums[me] += n->value;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void others(int count)
{
	for (int i = 0; i < count % 8; i++)
		if (!malloc(48))
			exit(1);
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
	pthread_t t[2];
	pthread_mutex_lock(&lock);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, taker, (void *)i);
	for (int i = 1; i < 4; i++) {
		others(i);
		add(i);
	}
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%ld %ld\n", sums[0], sums[1]);
	return 0;
}
