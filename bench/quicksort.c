/* bench/quicksort.c -- sorts numbers; a partition big enough gets a thread of its own while fewer than the limit run.
 *   quicksort [numbers=10000000] [threads=4] */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BIG   20000
#define SMALL 24

struct part {
	uint32_t *low, *high;           /* [low, high] */
};

static atomic_int running = 1;
static int limit = 4;

static void insertion(uint32_t *low, uint32_t *high)
{
	for (uint32_t *i = low + 1; i <= high; i++) {
		uint32_t x = *i, *j = i;

		for (; j > low && j[-1] > x; j--)
			*j = j[-1];
		*j = x;
	}
}

static uint32_t middle(uint32_t a, uint32_t b, uint32_t c)
{
	return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

/* Everything up to the result is <= everything behind it. */
static uint32_t *split(uint32_t *low, uint32_t *high)
{
	uint32_t pivot = middle(*low, low[(high - low) / 2], *high);
	uint32_t *i = low - 1, *j = high + 1;

	for (;;) {
		uint32_t keep;

		do i++; while (*i < pivot);
		do j--; while (*j > pivot);
		if (i >= j)
			return j;
		keep = *i;
		*i = *j;
		*j = keep;
	}
}

static void sort(uint32_t *low, uint32_t *high);

static void *body(void *arg)
{
	struct part p = *(struct part *)arg;

	sort(p.low, p.high);
	atomic_fetch_sub(&running, 1);
	return NULL;
}

static void sort(uint32_t *low, uint32_t *high)
{
	uint32_t *cut;

	if (high - low < SMALL) {
		insertion(low, high);
		return;
	}
	cut = split(low, high);
	if (high - low > BIG && atomic_load(&running) < limit) {
		struct part left = { low, cut };
		pthread_t thread;

		atomic_fetch_add(&running, 1);
		if (pthread_create(&thread, NULL, body, &left) == 0) {
			sort(cut + 1, high);
			pthread_join(thread, NULL);
			return;
		}
		atomic_fetch_sub(&running, 1);
	}
	sort(low, cut);
	sort(cut + 1, high);
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000000;
	uint32_t *numbers = malloc(count * sizeof *numbers), seed = 5;
	uint64_t sum = 0;

	limit = argc > 2 ? atoi(argv[2]) : 4;
	for (size_t i = 0; i < count; i++) {
		seed = seed * 1664525u + 1013904223u;
		numbers[i] = seed ^ seed >> 15;
	}
	sort(numbers, numbers + count - 1);
	for (size_t i = 0; i < count; i++) {
		if (i && numbers[i - 1] > numbers[i]) {
			printf("not sorted at %zu\n", i);
			return 1;
		}
		sum = sum * 31 + numbers[i];
	}
	printf("quicksort %016llx\n", (unsigned long long)sum);
	free(numbers);
	return 0;
}
