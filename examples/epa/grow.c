/* examples/epa/grow.c -- each thread collects primes in an array that grows by realloc; the first joins them and puts them together.
 * Arrays have one owner at a time: deterministic, wherever realloc moves them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define UP_TO   600

struct list { int *at; int count, room; };

static void add(struct list *l, int value)
{
	if (l->count == l->room) {
		l->room = l->room ? 2 * l->room : 2;
		l->at = realloc(l->at, (size_t)l->room * sizeof *l->at);
		if (!l->at)
			abort();
	}
	l->at[l->count++] = value;
}

static void *work(void *number)
{
	struct list *own = calloc(1, sizeof *own);
	int from = (int)(long)number * (UP_TO / THREADS);
	for (int n = from < 2 ? 2 : from; n < from + UP_TO / THREADS; n++) {
		int d = 2;
		while (d * d <= n && n % d)
			d++;
		if (d * d > n)
			add(own, n);
	}
	return own;
}

int main(void)
{
	pthread_t threads[THREADS];
	struct list all = { 0 };
	for (long t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	for (int t = 0; t < THREADS; t++) {
		void *result;
		pthread_join(threads[t], &result);
		struct list *part = result;
		for (int i = 0; i < part->count; i++)
			add(&all, part->at[i]);
		free(part->at);
		free(part);
	}
	printf("%d primes, the last is %d\n", all.count, all.at[all.count - 1]);
	free(all.at);
	return 0;
}
