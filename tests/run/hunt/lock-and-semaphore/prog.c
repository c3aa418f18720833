/* One waits for a semaphore with the lock held which the other needs before it posts.  Depth 1: the waiter has the lock first.
 * Switches: main to waiter, to poster: 2. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;

static void *poster(void *x)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	sem_post(&s);
	return x;
}

static void *waiter(void *x)
{
	pthread_mutex_lock(&m);
	sem_wait(&s);
	pthread_mutex_unlock(&m);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, poster, NULL);
	pthread_create(&t[1], NULL, waiter, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
