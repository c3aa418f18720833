/* The second order is taken only when the first thread has said it is through. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int through, n;

static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
	pthread_mutex_lock(x);
	pthread_mutex_lock(y);
	n++;
	pthread_mutex_unlock(y);
	pthread_mutex_unlock(x);
}

static void *first(void *unused)
{
	(void)unused;
	both(&a, &b);
	pthread_mutex_lock(&m);
	through = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	while (!through)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	both(&b, &a);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d\n", n);
	return 0;
}
