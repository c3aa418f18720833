/* The pointer is looked at under the lock and followed under it again: it may be null by then. */
#include <pthread.h>
#include <stdio.h>

static int value = 5, *current = &value;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	int there = current != NULL;
	pthread_mutex_unlock(&m);
	if (there) {
		pthread_mutex_lock(&m);
		printf("%d\n", *current);       /*@A*/
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

static void *closer(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	current = NULL;                         /*@B*/
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, reader, NULL);
	pthread_create(&two, NULL, closer, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
