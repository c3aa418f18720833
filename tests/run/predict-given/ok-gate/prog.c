/* Two orders of two locks, both under a third. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_lock(x);
	pthread_mutex_lock(y);
	n++;
	pthread_mutex_unlock(y);
	pthread_mutex_unlock(x);
	pthread_mutex_unlock(&gate);
}

static void *first(void *unused) { (void)unused; both(&a, &b); return NULL; }
static void *second(void *unused) { (void)unused; both(&b, &a); return NULL; }

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
