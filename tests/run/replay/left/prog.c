/* Takes another way when told to by a file. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *work(void *x)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return x;
}

int main(void)
{
	pthread_t t;
	if (access("short", F_OK) == 0)
		return 0;
	pthread_create(&t, NULL, work, NULL);
	if (access("odd", F_OK) == 0)
		pthread_cond_signal(&c);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
