/* Three forks, three who eat once with two of them; with an argument, one after the other. */
#include <pthread.h>

static pthread_mutex_t fork_[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_mutex_t waiter = PTHREAD_MUTEX_INITIALIZER;
static int guarded;

static void *eat(void *seat)
{
	long left = (long)seat;
	if (guarded)
		pthread_mutex_lock(&waiter);
	pthread_mutex_lock(&fork_[left]);
	pthread_mutex_lock(&fork_[(left + 1) % 3]);
	pthread_mutex_unlock(&fork_[(left + 1) % 3]);
	pthread_mutex_unlock(&fork_[left]);
	if (guarded)
		pthread_mutex_unlock(&waiter);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	(void)argv;
	guarded = argc > 1;
	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, eat, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
