/* Destructors of keys run before the thread's END, as often as libc runs them; deleted keys have none. */
#include "../check.h"
#include <limits.h>

static pthread_key_t stubborn, plain, deleted, bare;
static int stubborn_runs, plain_runs;

static void again(void *value)
{
	stubborn_runs++;
	pthread_setspecific(stubborn, value);
}

static void once(void *value)
{
	CHECK(value == (void *)0x77);
	plain_runs++;
}

static void never(void *value)
{
	(void)value;
	CHECK(!"called");
}

static void *sets(void *unused)
{
	IS(pthread_setspecific(stubborn, (void *)0x55), 0);
	IS(pthread_setspecific(plain, (void *)0x77), 0);
	IS(pthread_setspecific(bare, (void *)0x99), 0);
	IS(pthread_setspecific(deleted, (void *)0x66), 0);
	IS(pthread_key_delete(deleted), 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	IS(pthread_key_create(&stubborn, again), 0);
	IS(pthread_key_create(&plain, once), 0);
	IS(pthread_key_create(&deleted, never), 0);
	IS(pthread_key_create(&bare, NULL), 0);
	IS(pthread_create(&t, NULL, sets, NULL), 0);
	IS(pthread_join(t, NULL), 0);
	CHECK(stubborn_runs == PTHREAD_DESTRUCTOR_ITERATIONS && plain_runs == 1);
	IS(pthread_key_delete(deleted), EINVAL);
	IS(pthread_key_delete(plain), 0);
	return done();
}
