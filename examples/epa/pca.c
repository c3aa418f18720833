/* examples/epa/pca.c -- means and covariances of a small matrix with 17 threads: rows are dealt out, phases are separated by join.  The
 * matrix comes from a file, row by row.  Every cell is written by one thread: deterministic. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 8                       /* per phase, two phases, and the first: 17 */
#define ROWS    32
#ifndef COLUMNS
#define COLUMNS 160
#endif

static int **matrix, *mean;
static long **covariance;

static void *means(void *first)
{
	for (long r = (long)first; r < ROWS; r += THREADS) {
		const int *row = matrix[r];
		int sum = 0;
		for (int c = 0; c < COLUMNS; c++)
			sum += row[c];
		mean[r] = sum / COLUMNS;
	}
	return NULL;
}

static void *covariances(void *first)
{
	for (long r = (long)first; r < ROWS; r += THREADS)
		for (long k = r; k < ROWS; k++) {
			const int *a = matrix[r], *b = matrix[k];
			int of_a = mean[r], of_b = mean[k];
			long sum = 0;
			for (int c = 0; c < COLUMNS; c++)
				sum += (long)(a[c] - of_a) * (b[c] - of_b);
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

/* A file of rows, at its beginning. */
static FILE *make_input(void)
{
	FILE *file = tmpfile();
	unsigned next = 7;
	int row[COLUMNS];
	for (int r = 0; file && r < ROWS; r++) {
		for (int c = 0; c < COLUMNS; c++)
			row[c] = (int)((next = next * 1103515245u + 12345u) >> 20) % 100;
		fwrite(row, sizeof *row, COLUMNS, file);
	}
	if (file)
		rewind(file);
	return file;
}

/* false: there is no memory, or not all of it could be read. */
static int read_matrix(FILE *file)
{
	matrix = malloc(ROWS * sizeof *matrix);
	covariance = malloc(ROWS * sizeof *covariance);
	mean = calloc(ROWS, sizeof *mean);
	if (!file || !matrix || !covariance || !mean)
		return 0;
	for (int r = 0; r < ROWS; r++) {
		matrix[r] = malloc(COLUMNS * sizeof **matrix);
		covariance[r] = calloc(ROWS, sizeof **covariance);
		if (!matrix[r] || !covariance[r] || fread(matrix[r], sizeof **matrix, COLUMNS, file) != COLUMNS)
			return 0;
	}
	return 1;
}

int main(void)
{
	FILE *input = make_input();
	if (!read_matrix(input))
		return 2;
	fclose(input);
	phase(means);
	phase(covariances);
	long trace = 0;
	for (int r = 0; r < ROWS; r++)
		trace += covariance[r][r];
	printf("variance %ld\n", trace);
	for (int r = 0; r < ROWS; r++) {
		free(matrix[r]);
		free(covariance[r]);
	}
	free(matrix);
	free(covariance);
	free(mean);
	return 0;
}
