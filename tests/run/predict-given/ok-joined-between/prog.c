/* The second order begins when the first thread is joined. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
	pthread_mutex_lock(x);
	pthread_mutex_lock(y);
	n++;
	pthread_mutex_unlock(y);
	pthread_mutex_unlock(x);
}

static void *first(void *unused) { (void)unused; both(&a, &b); return NULL; }
static void *second(void *unused) { (void)unused; both(&b, &a); return NULL; }

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, first, NULL);
	pthread_join(t, NULL);
	n++;
	pthread_create(&t, NULL, second, NULL);
	pthread_join(t, NULL);
	printf("%d\n", n);
	return 0;
}
