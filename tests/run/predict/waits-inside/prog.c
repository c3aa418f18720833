/* A wait gives up the inner lock and keeps the outer one, which who would signal needs first. */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t set = PTHREAD_COND_INITIALIZER;
static int ready;

static void *sets(void *u)
{
	pthread_mutex_lock(&outer); /*@A*/
	pthread_mutex_lock(&inner);
	ready = 1;
	pthread_cond_signal(&set);
	pthread_mutex_unlock(&inner);
	pthread_mutex_unlock(&outer);
	return u;
}

static void *waits(void *u)
{
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&inner);
	while (!ready)
		pthread_cond_wait(&set, &inner); /*@B*/
	pthread_mutex_unlock(&inner);
	pthread_mutex_unlock(&outer);
	return u;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, sets, NULL);
	pthread_create(&threads[1], NULL, waits, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
