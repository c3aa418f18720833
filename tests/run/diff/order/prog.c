/* Who comes first decides what is read; told so, it dies behind the making of a thread that may not have begun. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int turn, seen;

static void *set(void *unused)
{
	pthread_mutex_lock(&guard);
	turn = 1;
	pthread_mutex_unlock(&guard);
	return unused;
}

static void *get(void *unused)
{
	pthread_mutex_lock(&guard);
	seen = turn;
	pthread_mutex_unlock(&guard);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	(void)argv;
	pthread_create(&a, NULL, set, NULL);
	pthread_create(&b, NULL, get, NULL);
	if (argc > 1)
		abort();
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", seen);
	return 0;
}
