/* A recursive master lock and a lock for one file, taken in both orders through a helper. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t master, file = PTHREAD_MUTEX_INITIALIZER;
static int pages;

static void with_master(int n)
{
	pthread_mutex_lock(&master);    /*@B*/
	pages += n;
	pthread_mutex_unlock(&master);
}

static void *first(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&master);
	pthread_mutex_lock(&file);      /*@A*/
	with_master(1);
	pthread_mutex_unlock(&file);
	pthread_mutex_unlock(&master);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&file);
	with_master(2);
	pthread_mutex_unlock(&file);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&master, &a);
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d\n", pages);
	return 0;
}
