/* A block of two numbers: which of them it is stands in the first line. */
#include <pthread.h>
#include <stdlib.h>

struct pool { long size, alive; };
static struct pool *pool;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *x)
{
	pthread_mutex_lock(&m);
	pool->size++;
	pthread_mutex_unlock(&m);
	pool->alive++;
	return x;
}

int main(int argc, char **argv)
{
	pthread_t t;
	(void)argv;
	pool = calloc((size_t)argc, sizeof *pool);
	pthread_create(&t, NULL, worker, NULL);
	pool->alive++;
	pthread_mutex_lock(&m);
	pool->size++;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
