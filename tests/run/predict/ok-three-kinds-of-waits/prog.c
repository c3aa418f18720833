/* The twin of three-kinds-of-waits: the end of the writer is waited for before the mutex is taken. */
#include <pthread.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t writer;
static int rows, lines;

static void *read_table(void *unused)
{
	(void)unused;
	pthread_rwlock_rdlock(&table);
	pthread_mutex_lock(&log_lock);
	lines += rows;
	pthread_mutex_unlock(&log_lock);
	pthread_rwlock_unlock(&table);
	return NULL;
}

static void *finish(void *unused)
{
	(void)unused;
	pthread_join(writer, NULL);
	pthread_mutex_lock(&log_lock);
	lines++;
	pthread_mutex_unlock(&log_lock);
	return NULL;
}

static void *write_table(void *unused)
{
	(void)unused;
	pthread_rwlock_wrlock(&table);
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
