/* One signal, two waiters: either may be woken. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, first;

static void *waiter(void *number)
{
	pthread_mutex_lock(&m);
	waiting++;
	pthread_cond_wait(&c, &m);
	if (!first)
		first = (int)(long)number;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, waiter, (void *)1);
	pthread_create(&t[1], NULL, waiter, (void *)2);
	pthread_mutex_lock(&m);
	int both = waiting == 2;
	if (both)
		pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	if (!both)
		return 7;
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("first %d\n", first);
	return 0;
}
