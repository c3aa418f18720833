/* A wait that runs out of time holds the mutex again; malformed times are refused without giving it up. */
#include "../check.h"

int main(void)
{
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	struct timespec soon = after(CLOCK_REALTIME, 10), bad = { 0, 1000000000 };
	IS(pthread_mutex_lock(&m), 0);
	IS(pthread_cond_timedwait(&c, &m, &soon), ETIMEDOUT);
	soon = after(CLOCK_MONOTONIC, 10);
	IS(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
	IS(pthread_cond_timedwait(&c, &m, &bad), EINVAL);
	IS(pthread_cond_clockwait(&c, &m, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
	IS(pthread_mutex_trylock(&m), EBUSY);
	IS(pthread_mutex_unlock(&m), 0);
	return done();
}
