/* Two may wait, one is told.  In the recorded run only one waits. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waits(void *u)
{
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&changed, &lock); /*@A*/
	pthread_mutex_unlock(&lock);
	return u;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, waits, NULL);
	pthread_create(&threads[1], NULL, waits, NULL);
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
