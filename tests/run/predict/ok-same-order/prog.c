/* Two locks, always in one order; a read lock taken by both inside. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *move(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_rwlock_rdlock(&l);
	x++;
	y--;
	pthread_rwlock_unlock(&l);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, move, NULL);
	pthread_create(&two, NULL, move, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d %d\n", x, y);
	return 0;
}
