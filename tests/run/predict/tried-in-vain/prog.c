/* The lock is tried for by who believes to be alone with it.  In the recorded run it is. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *tries(void *u)
{
	if (pthread_mutex_trylock(&lock) != 0) /*@A*/
		abort();
	sum++;
	pthread_mutex_unlock(&lock);
	return u;
}

static void *locks(void *u)
{
	pthread_mutex_lock(&lock);
	sum++;
	pthread_mutex_unlock(&lock); /*@B*/
	return u;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, tries, NULL);
	pthread_create(&threads[1], NULL, locks, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
