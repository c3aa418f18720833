/* trylock in one thread while another locks and unlocks: taken or EBUSY. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, hold, NULL);
	int result = pthread_mutex_trylock(&m);
	if (!result)
		pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	puts(result == EBUSY ? "EBUSY" : result ? "?" : "taken");
}
