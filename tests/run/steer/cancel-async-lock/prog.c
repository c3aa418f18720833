/* A thread of asynchronous type waits for a lock that is never given up: a request ends the wait. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	pthread_mutex_lock(&m);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, thread, NULL);
	pthread_cancel(t);
	pthread_join(t, &value);
	puts(value == PTHREAD_CANCELED ? "cancelled" : "returned");
}
