/* A reader that wants the mutex, a holder of the mutex that wants to write. */
#include <pthread.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log_ = PTHREAD_MUTEX_INITIALIZER;
static int rows, lines;

static void *first(void *unused)
{
	(void)unused;
	pthread_rwlock_rdlock(&table);
	int n = rows;
	pthread_mutex_lock(&log_);      /*@A*/
	lines += n;
	pthread_mutex_unlock(&log_);
	pthread_rwlock_unlock(&table);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&log_);
	lines++;
	pthread_rwlock_wrlock(&table);  /*@B*/
	rows++;
	pthread_rwlock_unlock(&table);
	pthread_mutex_unlock(&log_);
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
