/* Two orders of two locks; the second one is only tried, and the first given back if it is not had. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
	for (;;) {
		pthread_mutex_lock(x);
		if (pthread_mutex_trylock(y) == 0)
			break;
		pthread_mutex_unlock(x);
		sched_yield();
	}
	n++;
	pthread_mutex_unlock(y);
	pthread_mutex_unlock(x);
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
