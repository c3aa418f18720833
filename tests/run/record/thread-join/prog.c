/* Values come back; a thread cannot join itself, nobody can join a detached one. */
#include "../check.h"
#include <semaphore.h>

static void *self(void *unused)
{
	IS(pthread_join(pthread_self(), NULL), EDEADLK);
	(void)unused;
	return (void *)42;
}

static sem_t s;

static void *stays(void *unused)
{
	IS(sem_wait(&s), 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	void *value;
	IS(pthread_create(&t, NULL, self, NULL), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == (void *)42);
	IS(sem_init(&s, 0, 0), 0);
	IS(pthread_create(&t, NULL, stays, NULL), 0);
	IS(pthread_detach(t), 0);
	IS(pthread_detach(t), EINVAL);
	IS(pthread_join(t, NULL), EINVAL);
	IS(sem_post(&s), 0);
	done();
	pthread_exit(NULL);             /* the process ends with its last thread */
}
