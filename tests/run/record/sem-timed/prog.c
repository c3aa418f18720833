/* Deadlines of semaphores: missed, met, malformed. */
#include "../check.h"
#include <semaphore.h>

int main(void)
{
	static sem_t s;
	struct timespec soon = after(CLOCK_REALTIME, 10), past = { 0, 0 }, bad = { 0, -1 };
	IS(sem_init(&s, 0, 0), 0);
	errno = 0;
	IS(sem_timedwait(&s, &soon), -1);
	IS(errno, ETIMEDOUT);
	soon = after(CLOCK_MONOTONIC, 10);
	errno = 0;
	IS(sem_clockwait(&s, CLOCK_MONOTONIC, &soon), -1);
	IS(errno, ETIMEDOUT);
	IS(sem_post(&s), 0);
	IS(sem_timedwait(&s, &past), 0);
	IS(sem_post(&s), 0);
	errno = 0;
	IS(sem_timedwait(&s, &bad), -1);
	IS(errno, EINVAL);
	errno = 0;
	IS(sem_clockwait(&s, CLOCK_PROCESS_CPUTIME_ID, &past), -1);
	IS(errno, EINVAL);
	IS(sem_clockwait(&s, CLOCK_REALTIME, &past), 0);
	return done();
}
