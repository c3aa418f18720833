/* A request that comes while cancellation is switched off stays until it is switched on again and the thread comes to a
 * cancellation point.  It may also come before or after all that. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int at;

static void *thread(void *unused)
{
	pthread_testcancel();
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	at = 1;
	pthread_testcancel();
	at = 2;
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	pthread_testcancel();
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
