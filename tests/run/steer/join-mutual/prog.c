/* Two threads join each other: the second to come is told EDEADLK; then it ends and the first has joined it. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t first;
static int there;

static const char *word(int result)
{
	return result == EDEADLK ? "EDEADLK" : result ? "?" : "0";
}

static void *other(void *unused)
{
	there = pthread_join(first, NULL);
	if (there == 0) {                        /* main has ended */
		puts("EDEADLK 0");
		exit(0);
	}
	return unused;
}

int main(void)
{
	pthread_t t;
	first = pthread_self();
	pthread_create(&t, NULL, other, NULL);
	int here = pthread_join(t, NULL);
	if (here == EDEADLK)
		pthread_exit(NULL);
	printf("%s %s\n", word(here), word(there));
}
