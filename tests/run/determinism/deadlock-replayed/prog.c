/* Two locks in two orders and a third around nothing: no data is shared, no order changes what is done, one of them never ends. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg)
{
	pthread_mutex_lock(&other);
	pthread_mutex_unlock(&other);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	pthread_mutex_lock(&other);
	pthread_mutex_unlock(&other);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, two, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
