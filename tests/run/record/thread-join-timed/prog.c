/* tryjoin, timedjoin, clockjoin: too early, then in time. */
#include "../check.h"
#include <semaphore.h>

static sem_t s;

static void *stays(void *value)
{
	IS(sem_wait(&s), 0);
	return value;
}

int main(void)
{
	pthread_t t[3];
	void *value = NULL;
	struct timespec soon;
	IS(sem_init(&s, 0, 0), 0);
	for (long i = 0; i < 3; i++)
		IS(pthread_create(&t[i], NULL, stays, (void *)i), 0);
	IS(pthread_tryjoin_np(t[0], &value), EBUSY);
	soon = after(CLOCK_REALTIME, 10);
	IS(pthread_timedjoin_np(t[1], &value, &soon), ETIMEDOUT);
	soon = after(CLOCK_MONOTONIC, 10);
	IS(pthread_clockjoin_np(t[2], &value, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
	for (int i = 0; i < 3; i++)
		IS(sem_post(&s), 0);
	soon = after(CLOCK_REALTIME, 60000);
	IS(pthread_timedjoin_np(t[1], &value, &soon), 0);
	CHECK(value == (void *)1);
	soon = after(CLOCK_MONOTONIC, 60000);
	IS(pthread_clockjoin_np(t[2], &value, CLOCK_MONOTONIC, &soon), 0);
	CHECK(value == (void *)2);
	while (pthread_tryjoin_np(t[0], NULL) == EBUSY)
		sched_yield();
	return done();
}
