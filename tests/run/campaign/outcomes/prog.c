/* Four calls of a lock and one of malloc: what becomes of leaving out each of them is known. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	int *cell = malloc(sizeof *cell);
	if (!cell) {
		fprintf(stderr, "safe state\n");
		return 3;
	}
	pthread_mutex_lock(&lock);
	*cell = 7;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	*cell *= 6;
	pthread_mutex_unlock(&lock);
	printf("%d\n", *cell);
	free(cell);
	return 0;
}
