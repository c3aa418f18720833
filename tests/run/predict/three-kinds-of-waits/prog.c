/* A circle of three: a mutex behind a read-write lock, the end of a thread behind the mutex, the read-write lock inside that thread. */
#include <pthread.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t writer;
static int rows, lines;

static void *read_table(void *unused)
{
	(void)unused;
	pthread_rwlock_rdlock(&table);
	pthread_mutex_lock(&log_lock); /*@A*/
	lines += rows;
	pthread_mutex_unlock(&log_lock);
	pthread_rwlock_unlock(&table);
	return NULL;
}

static void *finish(void *unused)
{
	(void)unused;
#ifdef OK
	pthread_join(writer, NULL);
	pthread_mutex_lock(&log_lock);
#else
	pthread_mutex_lock(&log_lock);
	pthread_join(writer, NULL); /*@B*/
#endif
	lines++;
	pthread_mutex_unlock(&log_lock);
	return NULL;
}

static void *write_table(void *unused)
{
	(void)unused;
	pthread_rwlock_wrlock(&table); /*@C*/
	rows++;
	pthread_rwlock_unlock(&table);
	return NULL;
}

int main(void)
{
	pthread_t reader, last;
	pthread_create(&reader, NULL, read_table, NULL);
	pthread_create(&writer, NULL, write_table, NULL);
	pthread_create(&last, NULL, finish, NULL);
	pthread_join(reader, NULL);
	pthread_join(last, NULL);
	return 0;
}
