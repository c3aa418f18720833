/* bench/kmeans.c -- groups points around means; all threads meet at a barrier twice in each round.
 *   kmeans [points=60000] [rounds=200] [threads=8] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIM   8
#define MEANS 16

struct worker {
	pthread_t thread;
	size_t id, from, to;
	double sum[MEANS][DIM];
	long members[MEANS];
};

static size_t point_count, thread_count;
static int rounds;
static double (*points)[DIM];
static double means[MEANS][DIM];
static unsigned char *group;
static struct worker *workers;
static pthread_barrier_t barrier;

static double distance(const double *a, const double *b)
{
	double d = 0;

	for (int k = 0; k < DIM; k++)
		d += (a[k] - b[k]) * (a[k] - b[k]);
	return d;
}

static unsigned nearest(const double *point)
{
	unsigned best = 0;
	double least = distance(point, means[0]);

	for (unsigned m = 1; m < MEANS; m++) {
		double d = distance(point, means[m]);

		if (d < least) {
			least = d;
			best = m;
		}
	}
	return best;
}

static void assign(struct worker *w)
{
	memset(w->sum, 0, sizeof w->sum);
	memset(w->members, 0, sizeof w->members);
	for (size_t i = w->from; i < w->to; i++) {
		unsigned m = nearest(points[i]);

		group[i] = (unsigned char)m;
		w->members[m]++;
		for (int k = 0; k < DIM; k++)
			w->sum[m][k] += points[i][k];
	}
}

/* Every thread moves some of the means, from what all threads found, in the order of threads. */
static void move(const struct worker *w)
{
	for (size_t m = w->id; m < MEANS; m += thread_count) {
		long members = 0;
		double sum[DIM] = { 0 };

		for (size_t t = 0; t < thread_count; t++) {
			members += workers[t].members[m];
			for (int k = 0; k < DIM; k++)
				sum[k] += workers[t].sum[m][k];
		}
		for (int k = 0; members && k < DIM; k++)
			means[m][k] = sum[k] / (double)members;
	}
}

static void *work(void *arg)
{
	for (int round = 0; round < rounds; round++) {
		assign(arg);
		pthread_barrier_wait(&barrier);
		move(arg);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void fill(void)
{
	unsigned seed = 3;

	for (size_t i = 0; i < point_count; i++)
		for (int k = 0; k < DIM; k++) {
			seed = seed * 1664525u + 1013904223u;
			points[i][k] = (seed >> 8) / 16777216.0 + (double)(i * 7 % MEANS * (size_t)(k + 1) % 5);
		}
	for (size_t m = 0; m < MEANS; m++)
		memcpy(means[m], points[m * 31 % point_count], sizeof means[m]);
}

int main(int argc, char **argv)
{
	double sum = 0;
	long where = 0;

	point_count = argc > 1 ? strtoul(argv[1], NULL, 10) : 60000;
	rounds = argc > 2 ? atoi(argv[2]) : 200;
	thread_count = argc > 3 ? strtoul(argv[3], NULL, 10) : 8;
	points = malloc(point_count * sizeof *points);
	group = malloc(point_count);
	workers = calloc(thread_count, sizeof *workers);
	fill();
	pthread_barrier_init(&barrier, NULL, (unsigned)thread_count);
	for (size_t t = 0; t < thread_count; t++) {
		struct worker *w = &workers[t];

		w->id = t;
		w->from = point_count * t / thread_count;
		w->to = point_count * (t + 1) / thread_count;
		pthread_create(&w->thread, NULL, work, w);
	}
	for (size_t t = 0; t < thread_count; t++)
		pthread_join(workers[t].thread, NULL);
	for (size_t i = 0; i < point_count; i++)
		where = where * 3 % 1000003 + group[i];
	for (int m = 0; m < MEANS; m++)
		for (int k = 0; k < DIM; k++)
			sum += means[m][k];
	printf("kmeans %.9f %ld\n", sum, where);
	pthread_barrier_destroy(&barrier);
	free(points);
	free(group);
	free(workers);
	return 0;
}
