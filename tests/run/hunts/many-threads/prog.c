/* As many threads as its argument says, more than are made in advance for runs. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 54;
	pthread_t made[threads];
	for (int i = 0; i < threads; i++)
		pthread_create(&made[i], NULL, add, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(made[i], NULL);
	return count != threads;
}
