/* examples/epa/stencil.c -- heat along a rod, step by step; a barrier stands between reading one array and writing it.
 * In each step everybody reads the old array and writes parts of the new one: deterministic. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define CELLS   32
#define STEPS   10

static double heat[2][CELLS];
static pthread_barrier_t barrier;

static void *work(void *number)
{
	int from = (int)(long)number * (CELLS / THREADS);
	for (int step = 0; step < STEPS; step++) {
		const double *old = heat[step % 2];
		double *new = heat[(step + 1) % 2];
		for (int i = from; i < from + CELLS / THREADS; i++)
			new[i] = i == 0 || i == CELLS - 1 ? old[i] : (old[i - 1] + old[i] + old[i + 1]) / 3;
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	heat[0][0] = 100;
	heat[0][CELLS - 1] = 20;
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	pthread_barrier_destroy(&barrier);
	double sum = 0;
	for (int i = 0; i < CELLS; i++)
		sum += heat[STEPS % 2][i];
	printf("%.9f\n", sum);
	return 0;
}
