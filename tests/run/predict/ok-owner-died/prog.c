/* A robust mutex keeps three threads apart, of which one ends with it, and nobody waits for that end: whoever takes it over comes behind it. */
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t table;
static int rows, lost;

static void *die(void *unused)
{
	if (pthread_mutex_lock(&table) == EOWNERDEAD)
		pthread_mutex_consistent(&table);
	rows++;
	return unused;
}

static void *add(void *unused)
{
	if (pthread_mutex_lock(&table) == EOWNERDEAD) {
		lost++;
		pthread_mutex_consistent(&table);
	}
	rows += 2;
	pthread_mutex_unlock(&table);
	return unused;
}

int main(void)
{
	pthread_t all[3];
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&table, &attr);
	pthread_create(&all[0], NULL, die, NULL);
	pthread_create(&all[1], NULL, add, NULL);
	pthread_create(&all[2], NULL, add, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(all[i], NULL);
	return rows != 5;
}
