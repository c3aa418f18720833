/* Three locks in a ring.  Depth 3: each philosopher has one fork before any has two.
 * Switches: main to the first, to the second, to the third: 3. */
#include <pthread.h>

static pthread_mutex_t fork_[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

static void *eat(void *x)
{
	long i = (long)x;
	pthread_mutex_lock(&fork_[i]);
	pthread_mutex_lock(&fork_[(i + 1) % 3]);
	pthread_mutex_unlock(&fork_[(i + 1) % 3]);
	pthread_mutex_unlock(&fork_[i]);
	return x;
}

int main(void)
{
	pthread_t t[3];
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, eat, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
