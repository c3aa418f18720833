/* A circle of five. */
#include <pthread.h>

static pthread_mutex_t fork_[5] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int numbers[5] = { 0, 1, 2, 3, 4 };

static void *eat(void *number)
{
	int i = *(int *)number;
	pthread_mutex_lock(&fork_[i]);
	pthread_mutex_lock(&fork_[(i + 1) % 5]);        /*@A*/
	pthread_mutex_unlock(&fork_[(i + 1) % 5]);
	pthread_mutex_unlock(&fork_[i]);
	return NULL;
}

int main(void)
{
	pthread_t t[5];
	for (int i = 0; i < 5; i++)
		pthread_create(&t[i], NULL, eat, &numbers[i]);
	for (int i = 0; i < 5; i++)
		pthread_join(t[i], NULL);
	return 0;
}
