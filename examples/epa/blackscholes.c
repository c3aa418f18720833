/* examples/epa/blackscholes.c -- prices options with 3 threads, each its own half of the rows: deterministic. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 2                       /* and the first */
#ifndef OPTIONS
#define OPTIONS 4800
#endif

static struct { double spot, strike, rate, volatility, years; } option[OPTIONS];
static double price[OPTIONS];

static double normal(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }

static void *work(void *first)
{
	for (long i = (long)first; i < OPTIONS; i += THREADS) {
		double root = option[i].volatility * sqrt(option[i].years);
		double d1 = (log(option[i].spot / option[i].strike) + (option[i].rate + option[i].volatility * option[i].volatility / 2) * option[i].years) / root;
		price[i] = option[i].spot * normal(d1) - option[i].strike * exp(-option[i].rate * option[i].years) * normal(d1 - root);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < OPTIONS; i++) {
		option[i].spot = 90 + i % 21;
		option[i].strike = 95 + i % 13;
		option[i].rate = 0.03;
		option[i].volatility = 0.2 + i % 5 * 0.05;
		option[i].years = 0.5 + i % 3;
	}
	for (long t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	double sum = 0;
	for (int i = 0; i < OPTIONS; i++)
		sum += price[i];
	printf("%.6f\n", sum);
	return 0;
}
