/* examples/epa/blackscholes.c -- prices options with 3 threads, each its own half of the rows, which come from a file, one by one:
 * deterministic. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 2                       /* and the first */
#ifndef OPTIONS
#define OPTIONS 2450
#endif

struct option { double spot, strike, rate, volatility, years; };
static struct option **option;
static double *price;

static double normal(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }

static void *work(void *first)
{
	for (long i = (long)first; i < OPTIONS; i += THREADS) {
		const struct option *o = option[i];
		double root = o->volatility * sqrt(o->years);
		double d1 = (log(o->spot / o->strike) + (o->rate + o->volatility * o->volatility / 2) * o->years) / root;
		price[i] = o->spot * normal(d1) - o->strike * exp(-o->rate * o->years) * normal(d1 - root);
	}
	return NULL;
}

/* A file of options, at its beginning. */
static FILE *make_input(void)
{
	FILE *file = tmpfile();
	for (int i = 0; file && i < OPTIONS; i++) {
		struct option o = { 90 + i % 21, 95 + i % 13, 0.03, 0.2 + i % 5 * 0.05, 0.5 + i % 3 };
		fwrite(&o, sizeof o, 1, file);
	}
	if (file)
		rewind(file);
	return file;
}

/* false: there is no memory, or not all of it could be read. */
static int read_options(FILE *file)
{
	option = malloc(OPTIONS * sizeof *option);
	price = malloc(OPTIONS * sizeof *price);
	if (!file || !option || !price)
		return 0;
	for (int i = 0; i < OPTIONS; i++) {
		option[i] = malloc(sizeof *option[i]);
		if (!option[i] || fread(option[i], sizeof *option[i], 1, file) != 1)
			return 0;
	}
	return 1;
}

int main(void)
{
	pthread_t threads[THREADS];
	FILE *input = make_input();
	if (!read_options(input))
		return 2;
	fclose(input);
	for (long t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	double sum = 0;
	for (int i = 0; i < OPTIONS; i++) {
		sum += price[i];
		free(option[i]);
	}
	printf("%.6f\n", sum);
	free(option);
	free(price);
	return 0;
}
