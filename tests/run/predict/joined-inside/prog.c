/* Ends its worker with the lock held the worker may still want. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int done;
static void *work(void *unused)
{
	pthread_mutex_lock(&m);        /*@K*/
	done++;
	pthread_mutex_unlock(&m);
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	usleep(3000);
	pthread_mutex_lock(&m);
#ifdef OK
	int d = done;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return d > 1;
#else
	pthread_join(t, NULL);          /*@J*/
	int d = done;
	pthread_mutex_unlock(&m);
	return d > 1;
#endif
}
