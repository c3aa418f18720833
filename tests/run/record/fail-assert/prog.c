/* A failed assertion, in a thread. */
#undef NDEBUG
#include "../check.h"
#include <assert.h>

static int balance = 3;

static void *checks(void *unused)
{
	assert(balance == 4);
	return unused;
}

int main(void)
{
	pthread_t t;
	IS(pthread_create(&t, NULL, checks, NULL), 0);
	pthread_join(t, NULL);
	return 0;
}
