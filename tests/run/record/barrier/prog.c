/* Three threads meet three times; one of each meeting is the serial thread. */
#include "../check.h"

static pthread_barrier_t b;
static int serial;

static void *meets(void *unused)
{
	for (int i = 0; i < 3; i++) {
		int result = pthread_barrier_wait(&b);
		CHECK(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
		if (result)
			__atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
	}
	return unused;
}

int main(void)
{
	pthread_t t[3];
	IS(pthread_barrier_init(&b, NULL, 0), EINVAL);
	IS(pthread_barrier_init(&b, NULL, 3), 0);
	for (int i = 0; i < 3; i++)
		IS(pthread_create(&t[i], NULL, meets, NULL), 0);
	for (int i = 0; i < 3; i++)
		IS(pthread_join(t[i], NULL), 0);
	CHECK(serial == 3);
	IS(pthread_barrier_destroy(&b), 0);
	return done();
}
