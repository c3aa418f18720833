/* examples/epa/quicksort.c -- sorts an array with 72 threads: each sorts a part, the first merges them, two by two.
 * Parts do not overlap and every part is joined before it is merged: deterministic. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 71                      /* and the first */
#ifndef PART
#define PART    17
#endif

#define COUNT   (THREADS * PART)

static int values[COUNT], sorted[COUNT];

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

/* Two sorted parts beside each other, from `from` and from `middle` on, into one. */
static void merge_two(int from, int middle, int to)
{
	int left = from, right = middle;
	for (int i = from; i < to; i++)
		sorted[i] = left < middle && (right == to || values[left] <= values[right]) ? values[left++] : values[right++];
	for (int i = from; i < to; i++)
		values[i] = sorted[i];
}

static void merge(void)
{
	for (int width = PART; width < COUNT; width *= 2)
		for (int from = 0; from + width < COUNT; from += 2 * width)
			merge_two(from, from + width, from + 2 * width < COUNT ? from + 2 * width : COUNT);
}

int main(void)
{
	pthread_t threads[THREADS];
	unsigned next = 42;
	for (int i = 0; i < COUNT; i++)
		values[i] = (int)((next = next * 1103515245u + 12345u) >> 16);
	for (int t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, values + t * PART);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	merge();
	for (int i = 1; i < COUNT; i++)
		if (values[i - 1] > values[i])
			return 1;
	printf("sorted, median %d\n", values[COUNT / 2]);
	return 0;
}
