/* A copy of many bytes is one event: who copies them out sees all of the old or all of the new. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char shared[256], both[2][256];

static void *set(void *size)
{
	memcpy(shared, both[1], *(size_t *)size);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char seen[256];
	volatile size_t size = sizeof shared;
	size_t bytes = size;
	memset(both[0], 'a', bytes);
	memset(both[1], 'b', bytes);
	memcpy(shared, both[0], bytes);
	pthread_create(&t, NULL, set, &bytes);
	memcpy(seen, shared, size);
	pthread_join(t, NULL);
	printf("%c %c\n", seen[0], seen[255]);
}
