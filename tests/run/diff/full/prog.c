/* A few instructions in each of two threads, whose results are known. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *cells[2], wanted = 7;

static int cube(int x)
{
	return x * x * x + wanted;
}

static void *work(void *number)
{
	long t = (long)number;
	cells[t] = malloc(sizeof *cells[t]);
	*cells[t] = cube((int)t + 3);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (long t = 0; t < 2; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	int sum = 0;
	for (int t = 0; t < 2; t++) {
		pthread_join(threads[t], NULL);
		sum += *cells[t];
		free(cells[t]);
	}
	printf("%d\n", sum);
	return 0;
}
