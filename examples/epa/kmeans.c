/* examples/epa/kmeans.c -- clusters points with 65 threads: eight rounds of eight, each round joined before the centres move.  Points come
 * from a file, one by one; whether any changed its cluster decides about another round.  Each thread counts its own: deterministic.
 * Built with -DTOGETHER they add to one counter under a mutex: who adds first depends on the schedule, the sum does not. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 8
#define ROUNDS  8
#ifndef POINTS
#define POINTS  192
#endif
#define CENTRES 4

static int **point, (*centre)[2], *cluster;

#ifdef TOGETHER
static int changed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static int nearest(const int *p)
{
	int best = 0, least = 1 << 30;
	for (int c = 0; c < CENTRES; c++) {
		int dx = p[0] - centre[c][0], dy = p[1] - centre[c][1], d = dx * dx + dy * dy;
		if (d < least) {
			least = d;
			best = c;
		}
	}
	return best;
}

static void *assign(void *first)
{
	long mine = 0;
	for (long i = (long)first; i < POINTS; i += THREADS) {
		int to = nearest(point[i]);
		mine += to != cluster[i];
		cluster[i] = to;
	}
#ifdef TOGETHER
	pthread_mutex_lock(&lock);
	changed += (int)mine;
	pthread_mutex_unlock(&lock);
	mine = 0;
#endif
	return (void *)mine;
}

static void move(void)
{
	for (int c = 0; c < CENTRES; c++) {
		int sum[2] = { 0, 0 }, count = 0;
		for (int i = 0; i < POINTS; i++)
			if (cluster[i] == c) {
				sum[0] += point[i][0];
				sum[1] += point[i][1];
				count++;
			}
		if (count) {
			centre[c][0] = sum[0] / count;
			centre[c][1] = sum[1] / count;
		}
	}
}

/* A file of points, at its beginning. */
static FILE *make_input(void)
{
	FILE *file = tmpfile();
	unsigned next = 3;
	int at[2];
	for (int i = 0; file && i < POINTS; i++) {
		for (int k = 0; k < 2; k++)
			at[k] = (int)((next = next * 1103515245u + 12345u) >> 20) % 1000;
		fwrite(at, sizeof *at, 2, file);
	}
	if (file)
		rewind(file);
	return file;
}

/* false: there is no memory, or not all of it could be read. */
static int read_points(FILE *file)
{
	point = malloc(POINTS * sizeof *point);
	cluster = calloc(POINTS, sizeof *cluster);
	centre = malloc(CENTRES * sizeof *centre);
	if (!file || !point || !cluster || !centre)
		return 0;
	for (int i = 0; i < POINTS; i++) {
		point[i] = malloc(2 * sizeof **point);
		if (!point[i] || fread(point[i], sizeof **point, 2, file) != 2)
			return 0;
	}
	for (int c = 0; c < CENTRES; c++)
		centre[c][0] = point[c][0], centre[c][1] = point[c][1];
	return 1;
}

static long round_of_eight(void)
{
	pthread_t threads[THREADS];
	long moves = 0;
	for (long t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, assign, (void *)t);
	for (int t = 0; t < THREADS; t++) {
		void *mine = NULL;
		pthread_join(threads[t], &mine);
		moves += (long)mine;
	}
#ifdef TOGETHER
	moves = changed;
	changed = 0;
#endif
	return moves;
}

int main(void)
{
	FILE *input = make_input();
	if (!read_points(input))
		return 2;
	fclose(input);
	long total = 0;
	for (int round = 0; round < ROUNDS; round++) {
		total += round_of_eight();
		move();
	}
	printf("%ld moves, first centre %d %d\n", total, centre[0][0], centre[0][1]);
	for (int i = 0; i < POINTS; i++)
		free(point[i]);
	free(point);
	free(cluster);
	free(centre);
	return 0;
}
