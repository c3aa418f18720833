/* Odd names wherever a program can have them: its file, its argument, a thread; and it fails under some orders. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int shared;

static void *add(void *arg)
{
	pthread_setname_np(pthread_self(), "n\033[31m\a\302\233");
	int had = shared;
	shared = had + 1;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	printf("raw: %s\n", argc > 1 ? argv[1] : "");
	fflush(stdout);
	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (shared != 2)
		return 3;
	return 0;
}
