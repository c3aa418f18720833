/* Stacks the program has made itself: in a variable, in mappings that are used again and given back, in blocks. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BYTES (128 * 1024)

struct work { int number; long sum; int *made; struct work *self; };

static char area[2][BYTES] __attribute__((aligned(64)));

static void *leaf(void *given)
{
	struct work *w = given;
	int some[8], *at = some;
	for (int i = 0; i < 8; i++)
		at[i] = w->number + i;
	w->made = malloc(sizeof *w->made);
	*w->made = at[7];
	w->self = w;
	return w->self;
}

static long on(void *stack, int number)
{
	pthread_attr_t attributes;
	pthread_t t;
	void *back;
	struct work w;
	memset(&w, 0, sizeof w);
	w.number = number;
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, BYTES);
	pthread_create(&t, &attributes, leaf, &w);
	pthread_join(t, &back);
	pthread_attr_destroy(&attributes);
	long sum = *w.made + (back == &w);
	free(w.made);
	return sum;
}

static void *middle(void *given)
{
	struct work *w = given;
	char *mapped = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 3; i++)
		w->sum += on(mapped, w->number + i);
	munmap(mapped, BYTES);
	char *block = aligned_alloc(4096, BYTES);
	w->sum += on(block, w->number);
	free(block);
	return w;
}

int main(void)
{
	struct work w[4];
	pthread_t t[4];
	long sum = 0;
	for (int i = 0; i < 4; i++) {
		pthread_attr_t attributes;
		w[i] = (struct work){ .number = 10 * i };
		pthread_attr_init(&attributes);
		if (i < 2)
			pthread_attr_setstack(&attributes, area[i], sizeof area[i]);
		pthread_create(&t[i], &attributes, middle, &w[i]);
		pthread_attr_destroy(&attributes);
	}
	for (int i = 3; i >= 0; i--) {
		pthread_join(t[i], NULL);
		sum += w[i].sum;
	}
	printf("%ld\n", sum);
	return 0;
}
