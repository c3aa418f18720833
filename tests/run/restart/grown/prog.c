/* The heap outgrows its first 4 MB in the middle of a run; an address far behind all of it is nobody's. */
#include <pthread.h>
#include <stdlib.h>

#define BYTES (3u << 20)

static char *blocks[2];

static void *take(void *number)
{
	char *own = calloc(1, BYTES);
	own[0] = own[BYTES - 1] = 1;
	blocks[(long)number] = own;
	return own + BYTES / 2;
}

int main(int count, char **words)
{
	pthread_t other;
	void *middle;
	(void)words;
	if (count > 1)
		return *((char *)malloc(16) + (1 << 30));
	pthread_create(&other, NULL, take, (void *)1);
	take(NULL);
	pthread_join(other, &middle);
	int sum = blocks[0][BYTES - 1] + blocks[1][BYTES - 1] + *(char *)middle;
	return sum - 2;
}
