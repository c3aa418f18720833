/* The first owner of a robust mutex ends with it.  Whoever comes next takes it over, and from then on two locks are taken in both orders. */
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t table, log_lock = PTHREAD_MUTEX_INITIALIZER;
static int rows;

static void take_table(void)
{
	if (pthread_mutex_lock(&table) == EOWNERDEAD) /*@B*/
		pthread_mutex_consistent(&table);
}

static void *die(void *unused)
{
	pthread_mutex_lock(&table);
	rows = 1;
	return unused;
}

static void *add(void *unused)
{
	take_table();
	pthread_mutex_lock(&log_lock); /*@A*/
	rows++;
	pthread_mutex_unlock(&log_lock);
	pthread_mutex_unlock(&table);
	return unused;
}

static void *print(void *unused)
{
	pthread_mutex_lock(&log_lock);
	take_table();
	rows++;
	pthread_mutex_unlock(&table);
	pthread_mutex_unlock(&log_lock);
	return unused;
}

int main(void)
{
	pthread_t dead, one, two;
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&table, &attr);
	pthread_create(&dead, NULL, die, NULL);
	pthread_join(dead, NULL);
	pthread_create(&one, NULL, add, NULL);
	pthread_create(&two, NULL, print, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
