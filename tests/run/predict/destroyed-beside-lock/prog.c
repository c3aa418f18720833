/* A condition variable is destroyed by the thread that saw the flag under the lock; the signal comes after the lock was given back. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t said;
static int ready;

static void *tells(void *arg)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
	pthread_cond_signal(&said);             /*@A*/
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_cond_init(&said, NULL);
	pthread_create(&thread, NULL, tells, NULL);
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&said, &lock);
	pthread_mutex_unlock(&lock);
	pthread_cond_destroy(&said);            /*@B*/
	pthread_join(thread, NULL);
	return 0;
}
