/* Races on purpose: a counter, a flag, bytes and words of one cell, a pointer that is published without care. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS 400

struct node { struct node *next; int value; };
static int counter;
static volatile int stop;
static union { unsigned char bytes[8]; unsigned short halves[4]; unsigned words[2]; unsigned long whole; } cell;
static struct node *volatile top;

static void push(int value)
{
	struct node *n = malloc(sizeof *n);
	n->value = value;
	n->next = top;
	top = n;
}

static void *races(void *arg)
{
	int id = (int)(long)arg;
	unsigned long seen = 0;
	for (int i = 0; i < ROUNDS; i++) {
		counter++;
		cell.bytes[(id + i) % 8] = (unsigned char)i;
		seen += cell.halves[i % 4] + cell.words[i % 2];
		if (i % 16 == 0)
			cell.whole = seen;
		if (i % 50 == 0)
			push(i);
		struct node *n = top;
		if (n)
			seen += (unsigned)n->value;
	}
	return (void *)seen;
}

static void *watches(void *unused)
{
	long n = 0;
	for (long i = 0; !stop && i < 30000; i++)
		n += counter + (long)cell.bytes[i % 8];
	return (void *)(n + (unused != NULL));
}

int main(void)
{
	pthread_t t[THREADS], watcher;
	pthread_create(&watcher, NULL, watches, NULL);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, races, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	stop = 1;
	pthread_join(watcher, NULL);
	puts(counter > 0 ? "raced" : "");
	return 0;
}
