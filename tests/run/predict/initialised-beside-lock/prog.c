/* One thread makes the mutex while another one may lock it. */
#include <pthread.h>

static pthread_mutex_t lock;
static int value;

static void *makes(void *arg)
{
	pthread_mutex_init(&lock, NULL);        /*@A*/
	pthread_mutex_lock(&lock);
	value = 1;                              /*@D*/
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *uses(void *arg)
{
	pthread_mutex_lock(&lock);              /*@B*/
	value = 2;                              /*@E*/
	pthread_mutex_unlock(&lock);            /*@C*/
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, makes, NULL);
	pthread_create(&threads[1], NULL, uses, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
