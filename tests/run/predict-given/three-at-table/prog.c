/* Three at a table, each takes the fork at its left, then the one at its right. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t fork_[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int meals;

static void *eat(void *seat)
{
	long i = (long)seat;
	pthread_mutex_lock(&fork_[i]);
	pthread_mutex_lock(&fork_[(i + 1) % 3]);        /*@A*/
	__atomic_fetch_add(&meals, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&fork_[(i + 1) % 3]);
	pthread_mutex_unlock(&fork_[i]);
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, eat, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", meals);
	return 0;
}
