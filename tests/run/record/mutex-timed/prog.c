/* Deadlines: met, missed and malformed, on both clocks. */
#include "../check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *tries(void *unused)
{
	struct timespec soon = after(CLOCK_REALTIME, 20), bad = { 0, -1 };
	IS(pthread_mutex_timedlock(&m, &soon), ETIMEDOUT);
	soon = after(CLOCK_MONOTONIC, 20);
	IS(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
	IS(pthread_mutex_timedlock(&m, &bad), EINVAL);
	IS(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct timespec past = { 0, 0 }, bad = { 0, -1 };
	IS(pthread_mutex_timedlock(&m, &past), 0);
	IS(pthread_create(&t, NULL, tries, NULL), 0);
	IS(pthread_join(t, NULL), 0);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past), 0);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_mutex_timedlock(&m, &bad), 0);
	IS(pthread_mutex_unlock(&m), 0);
	IS(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
	return done();
}
