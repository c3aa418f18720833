/* A sleep is a cancellation point: it is cancelled there, or has slept, if its time was up first. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *thread(void *unused)
{
	sleep(1000);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	pthread_create(&t, NULL, thread, NULL);
	sleep(1);
	pthread_cancel(t);
	pthread_join(t, &value);
	puts(value == PTHREAD_CANCELED ? "cancelled" : "slept");
}
