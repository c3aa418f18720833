/* Two locks in two orders; one thread is through before the other begins. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER, to = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *first(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&from);
	pthread_mutex_lock(&to);        /*@A*/
	moved++;
	pthread_mutex_unlock(&to);
	pthread_mutex_unlock(&from);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&to);
	pthread_mutex_lock(&from);      /*@B*/
	moved++;
	pthread_mutex_unlock(&from);
	pthread_mutex_unlock(&to);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d\n", moved);
	return 0;
}
