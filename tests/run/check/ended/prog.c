/* Few runs, and between two of them a search of very many states. */
#include <pthread.h>
#include <stdatomic.h>

enum { WRITERS = 10, TIMES = 4 };
atomic_int x;
int seen;

static void *writer(void *number)
{
	for (int i = 0; i < TIMES; i++)
		atomic_store_explicit(&x, (int)(long)number * TIMES + i, memory_order_relaxed);
	return NULL;
}

static void *reader(void *unused)
{
	seen = atomic_load_explicit(&x, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t threads[WRITERS + 1];
	for (long i = 0; i < WRITERS; i++)
		pthread_create(&threads[i], NULL, writer, (void *)i);
	pthread_create(&threads[WRITERS], NULL, reader, NULL);
	for (int i = 0; i <= WRITERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
