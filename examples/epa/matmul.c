/* examples/epa/matmul.c -- multiplies two matrices; each thread has rows of its own in memory of calloc, and its own scratch row.
 * Nobody reads what another writes before that one is joined: deterministic. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define N       12
#define THREADS 4

static int *a, *b, *c;

static void *work(void *number)
{
	int *row = calloc(N, sizeof *row);
	for (long i = (long)number; i < N; i += THREADS) {
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				row[j] += a[i * N + k] * b[k * N + j];
		for (int j = 0; j < N; j++) {
			c[i * N + j] = row[j];
			row[j] = 0;
		}
	}
	free(row);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	a = calloc(N * N, sizeof *a);
	b = calloc(N * N, sizeof *b);
	c = calloc(N * N, sizeof *c);
	for (int i = 0; i < N * N; i++) {
		a[i] = i % 7;
		b[i] = i % 5;
	}
	for (long t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	long sum = 0;
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	for (int i = 0; i < N * N; i++)
		sum += c[i] * (i + 1);
	printf("%ld\n", sum);
	free(a);
	free(b);
	free(c);
	return 0;
}
