/* Destroyed by the first to leave and made again at once: generations begin at 0 again. */
#include "../check.h"

static pthread_barrier_t b;

static void *meets(void *unused)
{
	pthread_barrier_wait(&b);
	return unused;
}

int main(void)
{
	for (int round = 0; round < 100; round++) {
		pthread_t t;
		IS(pthread_barrier_init(&b, NULL, 2), 0);
		IS(pthread_create(&t, NULL, meets, NULL), 0);
		pthread_barrier_wait(&b);
		IS(pthread_barrier_destroy(&b), 0);
		IS(pthread_join(t, NULL), 0);
	}
	return done();
}
