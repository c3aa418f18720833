/* examples/epa/pca.c -- means and covariances of a small matrix with 17 threads: rows are dealt out, phases are separated by join.
 * Every cell is written by one thread: deterministic. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 8                       /* per phase, two phases, and the first: 17 */
#define ROWS    32
#ifndef COLUMNS
#define COLUMNS 160
#endif

static int matrix[ROWS][COLUMNS], mean[ROWS];
static long covariance[ROWS][ROWS];

static void *means(void *first)
{
	for (long r = (long)first; r < ROWS; r += THREADS) {
		int sum = 0;
		for (int c = 0; c < COLUMNS; c++)
			sum += matrix[r][c];
		mean[r] = sum / COLUMNS;
	}
	return NULL;
}

static void *covariances(void *first)
{
	for (long r = (long)first; r < ROWS; r += THREADS)
		for (long k = r; k < ROWS; k++) {
			long sum = 0;
			for (int c = 0; c < COLUMNS; c++)
				sum += (long)(matrix[r][c] - mean[r]) * (matrix[k][c] - mean[k]);
			covariance[r][k] = covariance[k][r] = sum / (COLUMNS - 1);
		}
	return NULL;
}

static void phase(void *(*work)(void *))
{
	pthread_t threads[THREADS];
	for (long t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
}

int main(void)
{
	unsigned next = 7;
	for (int r = 0; r < ROWS; r++)
		for (int c = 0; c < COLUMNS; c++)
			matrix[r][c] = (int)((next = next * 1103515245u + 12345u) >> 20) % 100;
	phase(means);
	phase(covariances);
	long trace = 0;
	for (int r = 0; r < ROWS; r++)
		trace += covariance[r][r];
	printf("variance %ld\n", trace);
	return 0;
}
