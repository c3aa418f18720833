/* Made once by whoever comes first, read by both. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *made;
static int seen[2];

static void make(void)
{
	made = malloc(sizeof *made);
	*made = 3;
}

static void *work(void *number)
{
	pthread_once(&once, make);
	seen[(long)number] = *made;
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", seen[0] + seen[1]);
	free(made);
	return 0;
}
