/* examples/epa/quicksort.c -- sorts an array with 72 threads: each sorts a part, one after the other merges are done by the first.
 * Parts do not overlap and every part is joined before it is merged: deterministic. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 71                      /* and the first */
#define PART    4

static int values[THREADS * PART], sorted[THREADS * PART];

static void sort(int *v, int count)
{
	if (count < 2)
		return;
	int pivot = v[count / 2], low = 0, high = count - 1;
	while (low <= high) {
		while (v[low] < pivot)
			low++;
		while (v[high] > pivot)
			high--;
		if (low <= high) {
			int t = v[low];
			v[low++] = v[high];
			v[high--] = t;
		}
	}
	sort(v, high + 1);
	sort(v + low, count - low);
}

static void *work(void *part)
{
	sort(part, PART);
	return NULL;
}

static void merge(void)
{
	int at[THREADS] = { 0 };
	for (int i = 0; i < THREADS * PART; i++) {
		int best = -1;
		for (int t = 0; t < THREADS; t++)
			if (at[t] < PART && (best < 0 || values[t * PART + at[t]] < values[best * PART + at[best]]))
				best = t;
		sorted[i] = values[best * PART + at[best]++];
	}
}

int main(void)
{
	pthread_t threads[THREADS];
	unsigned next = 42;
	for (int i = 0; i < THREADS * PART; i++)
		values[i] = (int)((next = next * 1103515245u + 12345u) >> 16);
	for (int t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, values + t * PART);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	merge();
	for (int i = 1; i < THREADS * PART; i++)
		if (sorted[i - 1] > sorted[i])
			return 1;
	printf("sorted, median %d\n", sorted[THREADS * PART / 2]);
	return 0;
}
