/* It sleeps holding a lock it takes again behind that: too long a sleep will end, a lock that was not given back is never had. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned nap = 10;

int main(void)
{
	pthread_mutex_lock(&lock);
	usleep(nap);
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	puts("awake");
	return 0;
}
