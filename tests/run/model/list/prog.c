#include <pthread.h>
#include <stdatomic.h>

int shared, other;
atomic_int turn;

static void *work(void *arg)
{
	if (shared)
		other = 1;
	atomic_fetch_add(&turn, 1);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	shared = 1;
	pthread_join(t, NULL);
	return 0;
}
