/* A broadcast wakes both waiters, in either order; who comes after it finds the flag set and does not wait. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static char order[3];
static int go, count;

static void *waiter(void *letter)
{
	pthread_mutex_lock(&m);
	while (!go)
		pthread_cond_wait(&c, &m);
	order[count++] = *(char *)letter;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, waiter, "a");
	pthread_create(&b, NULL, waiter, "b");
	pthread_mutex_lock(&m);
	go = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts(order);
}
