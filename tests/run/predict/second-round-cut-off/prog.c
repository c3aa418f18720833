/* Two daemons sum up every millisecond.  Only in their second rounds do they forget the lock, and main returns before those. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t first;
static int total;

static void *sum_up(void *unused)
{
	pthread_mutex_lock(&m);
	total++;
	pthread_mutex_unlock(&m);
	sem_post(&first);
	for (;;) {
		usleep(1000);
		total++;                        /*@A*/
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return unused;
}

int main(void)
{
	pthread_t one, two;
	sem_init(&first, 0, 0);
	pthread_create(&one, NULL, sum_up, NULL);
	pthread_create(&two, NULL, sum_up, NULL);
	sem_wait(&first);
	sem_wait(&first);
	return 0;
}
