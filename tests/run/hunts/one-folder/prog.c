/* Fails, under some orders, and says which of several programs it is: its argument. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int shared;

static void *add(void *arg)
{
	int had = shared;
	shared = had + 1;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (shared != 2) {
		fprintf(stderr, "lost by %s\n", argc > 1 ? argv[1] : "?");
		abort();
	}
	return 0;
}
