/* Looked under the lock, let it go, took it again and waited: the signal may have come between. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *first(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	int there = ready;
	pthread_mutex_unlock(&m);
	if (!there) {
		pthread_mutex_lock(&m);
		pthread_cond_wait(&c, &m);      /*@A*/
		pthread_mutex_unlock(&m);
	}
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
