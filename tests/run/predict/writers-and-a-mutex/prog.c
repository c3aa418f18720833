/* A read lock and a mutex in two orders, the second with a write lock: the reader is in its way. */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
	(void)unused;
	pthread_rwlock_rdlock(&l);
	pthread_mutex_lock(&m);                 /*@A*/
	pthread_mutex_unlock(&m);
	pthread_rwlock_unlock(&l);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	pthread_rwlock_wrlock(&l);              /*@B*/
	pthread_rwlock_unlock(&l);
	pthread_mutex_unlock(&m);
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
