/* examples/epa/kmeans.c -- clusters points with 65 threads: eight rounds of eight, each round joined before the centres move.
 * A mutex guards the count of points that changed cluster, and whether any did decides about another round: who adds first
 * depends on the schedule (order-dependent), the sum does not. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 8
#define ROUNDS  8
#ifndef POINTS
#define POINTS  192
#endif
#define CENTRES 4

static int point[POINTS][2], centre[CENTRES][2], cluster[POINTS];
static int changed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
	int mine = 0;
	for (long i = (long)first; i < POINTS; i += THREADS) {
		int to = nearest(point[i]);
		mine += to != cluster[i];
		cluster[i] = to;
	}
	pthread_mutex_lock(&lock);
	changed += mine;
	pthread_mutex_unlock(&lock);
	return NULL;
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

int main(void)
{
	pthread_t threads[THREADS];
	unsigned next = 3;
	for (int i = 0; i < POINTS; i++)
		for (int k = 0; k < 2; k++)
			point[i][k] = (int)((next = next * 1103515245u + 12345u) >> 20) % 1000;
	for (int c = 0; c < CENTRES; c++)
		centre[c][0] = point[c][0], centre[c][1] = point[c][1];
	int total = 0;
	for (int round = 0; round < ROUNDS; round++) {
		changed = 0;
		for (long t = 0; t < THREADS; t++)
			pthread_create(&threads[t], NULL, assign, (void *)t);
		for (int t = 0; t < THREADS; t++)
			pthread_join(threads[t], NULL);
		total += changed;
		move();
	}
	printf("%d moves, first centre %d %d\n", total, centre[0][0], centre[0][1]);
	return 0;
}
