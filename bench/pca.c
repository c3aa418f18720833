/* bench/pca.c -- principal components: a covariance matrix, rows dealt to threads, then its first eigenvectors.
 *   pca [columns=800] [rows=3000] [threads=4] */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define COMPONENTS 3
#define STEPS      60

struct job {
	pthread_t thread;
	size_t id;
	void (*what)(size_t column);
};

static size_t columns, rows, thread_count;
static double *data;                    /* column by column: data[c * rows + r] */
static double *mean, *covariance;
static double *vector, *image;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t next_column;

static void mean_of(size_t c)
{
	double sum = 0;

	for (size_t r = 0; r < rows; r++)
		sum += data[c * rows + r];
	mean[c] = sum / (double)rows;
}

static void covariance_of(size_t c)
{
	for (size_t d = 0; d <= c; d++) {
		const double *a = data + c * rows, *b = data + d * rows;
		double sum = 0;

		for (size_t r = 0; r < rows; r++)
			sum += (a[r] - mean[c]) * (b[r] - mean[d]);
		covariance[c * columns + d] = covariance[d * columns + c] = sum / (double)(rows - 1);
	}
}

static void image_of(size_t c)
{
	double sum = 0;

	for (size_t d = 0; d < columns; d++)
		sum += covariance[c * columns + d] * vector[d];
	image[c] = sum;
}

static void *work(void *arg)
{
	struct job *j = arg;

	for (;;) {
		size_t mine;

		pthread_mutex_lock(&lock);
		mine = next_column++;
		pthread_mutex_unlock(&lock);
		if (mine >= columns)
			return NULL;
		j->what(mine);
	}
}

static void on_all_columns(void (*what)(size_t column))
{
	struct job *jobs = calloc(thread_count, sizeof *jobs);

	next_column = 0;
	for (size_t t = 0; t < thread_count; t++) {
		jobs[t].id = t;
		jobs[t].what = what;
		pthread_create(&jobs[t].thread, NULL, work, &jobs[t]);
	}
	for (size_t t = 0; t < thread_count; t++)
		pthread_join(jobs[t].thread, NULL);
	free(jobs);
}

/* The largest eigenvalue by power iteration; its part is then taken out of the matrix. */
static double component(void)
{
	double value = 0;

	for (size_t c = 0; c < columns; c++)
		vector[c] = 1.0 / sqrt((double)columns);
	for (int step = 0; step < STEPS; step++) {
		double norm = 0;

		on_all_columns(image_of);
		for (size_t c = 0; c < columns; c++)
			norm += image[c] * image[c];
		value = sqrt(norm);
		for (size_t c = 0; c < columns; c++)
			vector[c] = image[c] / value;
	}
	for (size_t c = 0; c < columns; c++)
		for (size_t d = 0; d < columns; d++)
			covariance[c * columns + d] -= value * vector[c] * vector[d];
	return value;
}

int main(int argc, char **argv)
{
	unsigned seed = 11;

	columns = argc > 1 ? strtoul(argv[1], NULL, 10) : 800;
	rows = argc > 2 ? strtoul(argv[2], NULL, 10) : 3000;
	thread_count = argc > 3 ? strtoul(argv[3], NULL, 10) : 4;
	data = malloc(columns * rows * sizeof *data);
	mean = malloc(columns * sizeof *mean);
	vector = malloc(columns * sizeof *vector);
	image = malloc(columns * sizeof *image);
	covariance = malloc(columns * columns * sizeof *covariance);
	for (size_t i = 0; i < columns * rows; i++) {
		seed = seed * 1664525u + 1013904223u;
		data[i] = (seed >> 8) / 16777216.0 + (double)(i % rows % 17) * (double)(i / rows % 5) / 40;
	}
	on_all_columns(mean_of);
	on_all_columns(covariance_of);
	for (int k = 0; k < COMPONENTS; k++)
		printf("pca %d %.9f\n", k, component());
	free(data);
	free(mean);
	free(vector);
	free(image);
	free(covariance);
	return 0;
}
