/* The waiter gives back one lock and keeps the other, which the waker needs (a nested monitor). */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *first(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&inner);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&inner);
	pthread_mutex_unlock(&outer);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&inner);
	while (!ready)
		pthread_cond_wait(&c, &inner);  /*@A*/
	pthread_mutex_unlock(&inner);
	pthread_mutex_unlock(&outer);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
