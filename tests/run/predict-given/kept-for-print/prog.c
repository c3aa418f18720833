/* What was read under the lock is only printed later: it may change, no branch and no address hangs on it. */
#include <pthread.h>
#include <stdio.h>

static int shared, count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
	(void)unused;
	shared = 1;                     /*@A*/
	pthread_mutex_lock(&m);
	count++;
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	int seen = ++count;
	pthread_mutex_unlock(&m);
	shared = 2;                     /*@B*/
	printf("I was number %d\n", seen);
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
