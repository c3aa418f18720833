/* The inner mutex is made by whoever comes first, under the outer one, and used under it alone. */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner;
static int made, value;

static void *works(void *arg)
{
	pthread_mutex_lock(&outer);
	if (!made)
		pthread_mutex_init(&inner, NULL);
	made = 1;
	pthread_mutex_lock(&inner);
	value++;
	pthread_mutex_unlock(&inner);
	pthread_mutex_unlock(&outer);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, works, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	pthread_mutex_destroy(&inner);
	return 0;
}
