/* examples/epa/swaptions.c -- simulates rate paths with 4 threads, each with its own generator and its own swaptions, in memory
 * that all can see, one piece a path: about 1.1 million recorded accesses.  Strikes come from a file.  Deterministic. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS   3                     /* and the first */
#define SWAPTIONS 6
#ifndef TRIALS
#define TRIALS    440
#endif
#define STEPS     110

struct path { double rate[STEPS], discount[STEPS]; };
static double *result, *strike;
static struct path **paths;                    /* of each thread one a trial */

static double draw(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (double)(*state >> 8) / (1 << 24) - 0.5;
}

static void simulate(struct path *p, unsigned *state)
{
	p->rate[0] = 0.04;
	p->discount[0] = 1;
	for (int i = 1; i < STEPS; i++) {
		p->rate[i] = p->rate[i - 1] + 0.001 * (0.05 - p->rate[i - 1]) + 0.002 * draw(state);
		p->discount[i] = p->discount[i - 1] / (1 + p->rate[i] / 12);
	}
}

static void *work(void *first)
{
	long t = (long)first;
	for (long s = t; s < SWAPTIONS; s += THREADS) {
		unsigned state = (unsigned)s * 77 + 1;
		for (int trial = 0; trial < TRIALS; trial++) {
			struct path *p = paths[t * TRIALS + trial];
			simulate(p, &state);
			double swap = 0;
			for (int i = 12; i < STEPS; i++)
				swap += p->discount[i] * (p->rate[i] - strike[s]) / 12;
			result[s] += swap > 0 ? swap : 0;
		}
	}
	return NULL;
}

/* A file of strikes, at its beginning. */
static FILE *make_input(void)
{
	FILE *file = tmpfile();
	for (int s = 0; file && s < SWAPTIONS; s++) {
		double at = 0.04 + s * 0.001;
		fwrite(&at, sizeof at, 1, file);
	}
	if (file)
		rewind(file);
	return file;
}

int main(void)
{
	pthread_t threads[THREADS];
	FILE *input = make_input();
	strike = malloc(SWAPTIONS * sizeof *strike);
	result = calloc(SWAPTIONS, sizeof *result);
	paths = malloc(THREADS * TRIALS * sizeof *paths);
	if (!input || !strike || !result || !paths)
		return 2;
	for (int s = 0; s < SWAPTIONS; s++)
		if (fread(&strike[s], sizeof *strike, 1, input) != 1)
			return 2;
	fclose(input);
	for (int i = 0; i < THREADS * TRIALS; i++)
		if (!(paths[i] = malloc(sizeof *paths[i])))
			return 2;
	for (long t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	double sum = 0;
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	for (int s = 0; s < SWAPTIONS; s++)
		sum += result[s] / TRIALS;
	printf("%.6f\n", sum);
	for (int i = 0; i < THREADS * TRIALS; i++)
		free(paths[i]);
	free(paths);
	free(strike);
	free(result);
	return 0;
}
