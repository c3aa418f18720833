/* Values come back; a thread cannot join itself, nobody can join a detached one. */
#include "../check.h"

static void *self(void *unused)
{
	IS(pthread_join(pthread_self(), NULL), EDEADLK);
	(void)unused;
	return (void *)42;
}

static pthread_barrier_t b;

static void *stays(void *unused)
{
	pthread_barrier_wait(&b);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	IS(pthread_create(&t, NULL, self, NULL), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == (void *)42);
	IS(pthread_barrier_init(&b, NULL, 2), 0);
	IS(pthread_create(&t, NULL, stays, NULL), 0);
	IS(pthread_detach(t), 0);
	IS(pthread_detach(t), EINVAL);
	IS(pthread_join(t, NULL), EINVAL);
	pthread_barrier_wait(&b);
	return done();
}
