/* Where each function of a stack made its call: from two lines of one function, out of an inlined one, and through the library. */
#include <stdint.h>
#include <string.h>

#include "../two.h"

static int shared, numbers[2] = { 2, 1 };
static volatile int places[3];          /* so that no two calls are made one */

__attribute__((noinline)) static void touch(int by)
{
	shared += by;
}

static inline __attribute__((always_inline)) void folded(int by)
{
	touch(by);
}

__attribute__((noinline)) static int compare(const void *a, const void *b)
{
	touch(3);
	return *(const int *)a - *(const int *)b;
}

static void *first(void *which)
{
	if (!strcmp(which, "second")) {
		touch(1);
		places[0]++;
	} else if (!strcmp(which, "folded")) {
		folded(2);
		places[1]++;
	} else if (!strcmp(which, "sorted")) {
		qsort(numbers, 2, sizeof *numbers, compare);
	} else {
		touch(4);
		places[2]++;
	}
	return which;
}

static void *second(void *which)
{
	return (void *)(intptr_t)(which != NULL && shared);
}

int main(int argc, char **argv)
{
	(void)argc;
	pthread_t one, other;
	pthread_create(&one, NULL, first, argv[1]);
	pthread_create(&other, NULL, second, argv[1]);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	return 0;
}
