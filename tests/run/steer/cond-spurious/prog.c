/* A wait without a loop believes in its wake-up: it may wake for no reason and find nothing. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag;

static void *signaller(void *unused)
{
	pthread_mutex_lock(&m);
	flag = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, signaller, NULL);
	pthread_mutex_lock(&m);
	if (!flag)
		pthread_cond_wait(&c, &m);
	int seen = flag;
	pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	printf("flag %d\n", seen);
}
