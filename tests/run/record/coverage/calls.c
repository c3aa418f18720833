/* Hands pointers to functions of a library that was not built with raddle, and to others. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib.h"

static int shared[16];
static const int table[4] = { 1, 2, 3, 4 };
int (*through)(int *, int) = lib_sum;
int (*inside)(int *, int);

__attribute__((noinline)) static int own(int *at, int count)            /* instrumented: not to be listed */
{
	int sum = 0;
	for (int i = 0; i < count; i++)
		sum += at[i];
	return sum;
}

__attribute__((noinline)) int idle(int *at)                             /* compiled with raddle, nothing in it to record */
{
	__asm__ volatile("" : : "r"(at));
	return 1;
}

static void *work(void *unused)
{
	int private[4] = { 1, 2, 3, 4 }, sum = 0;
	(void)unused;
	for (int i = 0; i < 5; i++)
		sum += lib_sum(shared, 16);                             /* a global */
	sum += lib_private(private, 4);                                 /* a local nobody else has */
	sum += lib_private((int *)table, 4);                            /* a constant */
	sum += lib_number(sum);                                         /* a number */
	sum += through(shared, 4);                                      /* through a pointer into the library */
	sum += inside(shared, 4);                                       /* and into the program */
	sum += lib_each(shared, 16, own);                               /* calls back at once: still outside */
	sum += idle(shared) + linked_in(shared);
	return (void *)(long)sum;
}

int main(void)
{
	pthread_t thread;
	void *result;
	char *block = malloc(64);
	inside = own;
	memset(block, 7, 64);                                           /* modelled */
	lib_take(block);                                                /* from the heap */
	if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, &result))
		return 1;
	printf("%ld\n", (long)result);
	free(block);
	return 0;
}
