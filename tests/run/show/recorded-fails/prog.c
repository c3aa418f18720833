/* Fails in a thread of its own. */
#include <assert.h>
#include <pthread.h>

static int balance;

static void *careless(void *unused)
{
	balance = -1;
	assert(balance >= 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, careless, NULL);
	pthread_join(t, NULL);
	return 0;
}
