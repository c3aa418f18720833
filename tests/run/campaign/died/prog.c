/* Ways to die: by a pointer another thread handed over, by an index, in a library, on a stack that has no end, by assert, by abort, in a block that was given back;
 * with "handler" by a signal the program catches. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node { struct node *next; int value; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct node *list;
static int turn, sums[4], depths[4];

static int down(int depth)
{
	volatile char room[64];
	room[0] = (char)depth;
	return depth == 0 ? 0 : down(depth - 1) + room[0];
}

static void *taker(void *arg)
{
	long me = (long)arg;
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		while (turn % 3 != (int)me + 1)
			pthread_cond_wait(&changed, &lock);
		struct node *n = list;
		list = n->next;
		turn++;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
		sums[me] += n->value;
		depths[me] += down(n->value);
		assert(sums[me] < 1000);
		if (sums[me] < 0)
			abort();
		free(n);
	}
	return NULL;
}

static void give(int i)
{
	char text[16] = "0123456789", copy[16];
	struct node *n = malloc(sizeof *n);
	pthread_mutex_lock(&lock);
	while (turn % 3 != 0)
		pthread_cond_wait(&changed, &lock);
	memcpy(copy, text, (size_t)i + 2);
	n->value = copy[i] - '0' + 1;
	n->next = malloc(sizeof *n);
	n->next->next = NULL;
	n->next->value = i;
	list = n;
	turn++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void caught(int number)
{
	_exit(number == SIGSEGV ? 9 : 8);
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	if (argc > 1 && !strcmp(argv[1], "handler"))
		signal(SIGSEGV, caught);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, taker, (void *)i);
	for (int i = 0; i < 3; i++)
		give(i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d %d %d\n", sums[0], sums[1], depths[0] + depths[1]);
	return 0;
}
