/* bench/blackscholes.c -- prices options by the Black-Scholes formula, over and over; threads share nothing but input.
 *   blackscholes [options=40000] [rounds=400] [threads=3]
 * Mostly libm; each thread reads its slice of the options and writes its slice of the prices. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct option {
	double spot, strike, rate, volatility, years;
	int is_put;
};

struct slice {
	pthread_t thread;
	size_t from, to;
	int rounds;
};

static struct option *options;
static double *prices;

static double normal(double x)
{
	return 0.5 * erfc(-x * M_SQRT1_2);
}

static double price(const struct option *o)
{
	double root = o->volatility * sqrt(o->years);
	double d1 = (log(o->spot / o->strike) + (o->rate + o->volatility * o->volatility / 2) * o->years) / root;
	double d2 = d1 - root;
	double later = o->strike * exp(-o->rate * o->years);

	if (o->is_put)
		return later * normal(-d2) - o->spot * normal(-d1);
	return o->spot * normal(d1) - later * normal(d2);
}

static void *work(void *arg)
{
	const struct slice *s = arg;

	for (int round = 0; round < s->rounds; round++)
		for (size_t i = s->from; i < s->to; i++)
			prices[i] = price(&options[i]);
	return NULL;
}

static void fill(size_t count)
{
	unsigned seed = 17;

	for (size_t i = 0; i < count; i++) {
		double r[5];

		for (int k = 0; k < 5; k++) {
			seed = seed * 1664525u + 1013904223u;
			r[k] = (seed >> 8) / 16777216.0;
		}
		options[i] = (struct option){ 20 + 80 * r[0], 20 + 80 * r[1], 0.01 + 0.05 * r[2], 0.1 + 0.5 * r[3],
			0.1 + 2 * r[4], (int)(i & 1) };
	}
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 40000;
	int rounds = argc > 2 ? atoi(argv[2]) : 400;
	size_t threads = argc > 3 ? strtoul(argv[3], NULL, 10) : 3;
	struct slice *slices = calloc(threads, sizeof *slices);
	double sum = 0;

	options = malloc(count * sizeof *options);
	prices = malloc(count * sizeof *prices);
	fill(count);
	for (size_t t = 0; t < threads; t++) {
		slices[t] = (struct slice){ .from = count * t / threads, .to = count * (t + 1) / threads, .rounds = rounds };
		pthread_create(&slices[t].thread, NULL, work, &slices[t]);
	}
	for (size_t t = 0; t < threads; t++)
		pthread_join(slices[t].thread, NULL);
	for (size_t i = 0; i < count; i++)
		sum += prices[i];
	printf("blackscholes %.6f\n", sum);
	free(slices);
	free(options);
	free(prices);
	return 0;
}
