/* Each thread makes the mutex it shares with the other: who comes second sets free what the first one holds. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int counted;

static void *work(void *arg)
{
	pthread_mutex_init(&lock, NULL);        /*@B*/
	pthread_mutex_lock(&lock);              /*@C*/
	counted++;                              /*@A*/
	pthread_mutex_unlock(&lock);            /*@D*/
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", counted);
	return 0;
}
