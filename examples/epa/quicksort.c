/* examples/epa/quicksort.c -- sorts an array with 72 threads: each sorts a part, the first merges them, two by two.  What is to be sorted
 * comes from a file, part by part.  Parts do not overlap and every part is joined before it is merged: deterministic. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 71                      /* and the first */
#ifndef PART
#define PART    17
#endif

#define COUNT   (THREADS * PART)

struct part { int *from, count; };

static int *values, *sorted;

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

static void *work(void *given)
{
	struct part *part = given;
	sort(part->from, part->count);
	return NULL;
}

/* Two sorted parts beside each other, from `from` and from `middle` on, into one. */
static void merge_two(int from, int middle, int to)
{
	int *v = values, *s = sorted, left = from, right = middle;
	for (int i = from; i < to; i++)
		s[i] = left < middle && (right == to || v[left] <= v[right]) ? v[left++] : v[right++];
	memcpy(v + from, s + from, (size_t)(to - from) * sizeof *v);
}

static void merge(void)
{
	for (int width = PART; width < COUNT; width *= 2)
		for (int from = 0; from + width < COUNT; from += 2 * width)
			merge_two(from, from + width, from + 2 * width < COUNT ? from + 2 * width : COUNT);
}

/* A file of numbers, at its beginning. */
static FILE *make_input(void)
{
	FILE *file = tmpfile();
	unsigned next = 42;
	int part[PART];
	for (int t = 0; file && t < THREADS; t++) {
		for (int i = 0; i < PART; i++)
			part[i] = (int)((next = next * 1103515245u + 12345u) >> 16);
		fwrite(part, sizeof *part, PART, file);
	}
	if (file)
		rewind(file);
	return file;
}

int main(void)
{
	pthread_t threads[THREADS];
	struct part *parts[THREADS];
	FILE *input = make_input();
	values = malloc(COUNT * sizeof *values);
	sorted = malloc(COUNT * sizeof *sorted);
	if (!input || !values || !sorted)
		return 2;
	for (int t = 0; t < THREADS; t++)
		if (fread(values + t * PART, sizeof *values, PART, input) != PART)
			return 2;
	fclose(input);
	for (int t = 0; t < THREADS; t++) {
		parts[t] = malloc(sizeof *parts[t]);
		if (!parts[t])
			return 2;
		parts[t]->from = values + t * PART;     /* one by one: what lies behind `count` is not initialised, and not copied */
		parts[t]->count = PART;
		pthread_create(&threads[t], NULL, work, parts[t]);
	}
	for (int t = 0; t < THREADS; t++) {
		pthread_join(threads[t], NULL);
		free(parts[t]);
	}
	merge();
	for (int i = 1; i < COUNT; i++)
		if (values[i - 1] > values[i])
			return 1;
	printf("sorted, median %d\n", values[COUNT / 2]);
	free(values);
	free(sorted);
	return 0;
}
