/* Of asynchronous type a thread may be cancelled anywhere, waiting for a lock too: it never gets it, or it does all it has to do. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int at;

static void *thread(void *unused)
{
	int old;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	at = 1;
	pthread_setcanceltype(old, &old);
	if (old != PTHREAD_CANCEL_ASYNCHRONOUS)
		puts("forgotten");
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	pthread_create(&t, NULL, thread, NULL);
	pthread_cancel(t);
	pthread_join(t, &value);
	printf("%s %d\n", value == PTHREAD_CANCELED ? "cancelled at" : "returned", at);
}
