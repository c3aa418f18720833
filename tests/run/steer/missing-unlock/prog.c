/* A thread that ends with the lock. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *taker(void *x)
{
	pthread_mutex_lock(&m);
	return x;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, taker, NULL);
	pthread_mutex_lock(&m);
	puts("mine");
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
