/* A trylock that fails leaves a trace too. */
#include "../check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *tries(void *unused)
{
	IS(pthread_mutex_trylock(&m), EBUSY);
	return unused;
}

int main(void)
{
	pthread_t t;
	IS(pthread_mutex_trylock(&m), 0);
	IS(pthread_create(&t, NULL, tries, NULL), 0);
	IS(pthread_join(t, NULL), 0);
	IS(pthread_mutex_unlock(&m), 0);
	return done();
}
