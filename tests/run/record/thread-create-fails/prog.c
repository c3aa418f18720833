/* A thread that cannot be made: the second FORK takes the first one back. */
#include "../check.h"
#include <sys/mman.h>

static void *never(void *unused)
{
	CHECK(!"ran");
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_attr_t a;
	pthread_attr_init(&a);
	IS(pthread_attr_setstacksize(&a, (size_t)1 << 46), 0);
	IS(pthread_create(&t, &a, never, NULL), EAGAIN);
	return done();
}
