/* Six threads share a barrier for two: generations overlap, yet each has exactly two arrivals, two leavers, one serial. */
#include "../check.h"

static pthread_barrier_t b;
static int serial, tickets;

static void *meets(void *unused)
{
	while (__atomic_fetch_add(&tickets, 1, __ATOMIC_SEQ_CST) < 300)
		if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
			__atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
	return unused;
}

int main(void)
{
	pthread_t t[6];
	IS(pthread_barrier_init(&b, NULL, 2), 0);
	for (int i = 0; i < 6; i++)
		IS(pthread_create(&t[i], NULL, meets, NULL), 0);
	for (int i = 0; i < 6; i++)
		IS(pthread_join(t[i], NULL), 0);
	CHECK(serial == 150);
	IS(pthread_barrier_destroy(&b), 0);
	return done();
}
