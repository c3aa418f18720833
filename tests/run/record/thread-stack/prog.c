/* A thread on a small stack of the program's own. */
#include "../check.h"
#include <limits.h>

static char stack[64 * 1024] __attribute__((aligned(4096)));

static void *where(void *unused)
{
	char here;
	(void)unused;
	CHECK(&here >= stack && &here < stack + sizeof stack);
	return (void *)1;
}

int main(void)
{
	pthread_t t;
	pthread_attr_t a;
	void *value;
	pthread_attr_init(&a);
	IS(pthread_attr_setstack(&a, stack, sizeof stack), 0);
	IS(pthread_create(&t, &a, where, NULL), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == (void *)1);
	pthread_attr_init(&a);
	IS(pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN), 0);
	return done();
}
