/* Locks, atomics, a list on the heap, vectors and wide values: each kind of record a steered run writes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; int value; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static int hits, table[64];
float in[64], out[64];
__int128 big;

static void *work(void *arg)
{
	unsigned x = (unsigned)(long)arg;
	for (int i = 0; i < 500; i++) {
		x = x * 1664525u + 1013904223u;
		table[x >> 26]++;
		if (i % 8 == 0) {
			struct node *n = malloc(sizeof *n);
			pthread_mutex_lock(&lock);
			n->value = i;
			n->next = list;
			list = n;
			pthread_mutex_unlock(&lock);
		}
		__atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
	}
	for (int i = 0; i < 64; i++)
		out[i] = in[i] * 2;
	big += 5;
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 64; i++)
		in[i] = (float)i;
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	int sum = 0;
	for (struct node *n = list; n; n = n->next)
		sum += n->value;
	printf("%d hits, sum %d, out %.0f\n", hits, sum, (double)out[3]);
	return 0;
}
