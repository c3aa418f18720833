/* Joins that wait and joins that do not, a barrier two threads meet at, blocks of the heap and library functions stand between the beginning and
 * the pair: the reversal is found behind all of them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int order[2], next;

static void *prepare(void *size)
{
	char *block = malloc((size_t)size);
	memset(block, 'a', (size_t)size);
	char *copy = strdup("text");
	size_t length = strlen(copy);
	free(copy);
	free(block);
	return (void *)length;
}

static void *work(void *number)
{
	free(malloc(10));
	pthread_barrier_wait(&barrier);
	free(prepare((void *)20) == NULL ? number : NULL);
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(&lock);
	order[next++] = (int)(long)number;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	void *length;
	pthread_barrier_init(&barrier, NULL, 2);
	for (long i = 0; i < 2; i++) {
		pthread_create(&t[0], NULL, prepare, (void *)(30 + i));
		pthread_join(t[0], &length);
	}
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)(i + 1));
	for (long i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d%d\n", order[0], order[1]);
	return 0;
}
