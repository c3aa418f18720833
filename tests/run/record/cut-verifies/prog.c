/* Many threads that are created, take a lock in turn and are joined: each lane of a trace cut short ends at another moment. */
#include <pthread.h>

static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	for (int i = 0; i < 400; i++) {
		pthread_mutex_lock(&lock);
		shared += i;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	for (int round = 0; round < 3; round++) {
		pthread_t t[4];
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, work, NULL);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], NULL);
	}
	return 0;
}
