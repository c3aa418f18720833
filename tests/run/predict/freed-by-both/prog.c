/* Each looks whether it is there and frees it; look and free are two steps. */
#include <pthread.h>
#include <stdlib.h>

static char *buffer;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *drop(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	char *mine = buffer;
	pthread_mutex_unlock(&m);
	if (mine) {
		free(mine);                     /*@A*/
		pthread_mutex_lock(&m);
		buffer = NULL;
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	buffer = malloc(16);
	pthread_create(&one, NULL, drop, NULL);
	pthread_create(&two, NULL, drop, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
