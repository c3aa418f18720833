/* bench/large.c -- a heap of 100 MB, filled before two threads begin. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 100

static char *blocks[BLOCKS];
static int shared;

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++)
		shared += blocks[i][i];
	return unused;
}

int main(void)
{
	pthread_t a, b;
	for (int i = 0; i < BLOCKS; i++) {
		blocks[i] = malloc(1 << 20);
		memset(blocks[i], i, 1 << 20);
	}
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
