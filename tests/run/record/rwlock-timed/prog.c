/* Deadlines of read-write locks; a malformed one is refused even when the lock is free. */
#include "../check.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *tries(void *unused)
{
	struct timespec soon = after(CLOCK_REALTIME, 10);
	IS(pthread_rwlock_timedrdlock(&l, &soon), ETIMEDOUT);
	IS(pthread_rwlock_timedwrlock(&l, &soon), ETIMEDOUT);
	soon = after(CLOCK_MONOTONIC, 10);
	IS(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
	IS(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct timespec past = { 0, 0 }, bad = { 0, -1 };
	IS(pthread_rwlock_timedwrlock(&l, &bad), EINVAL);
	IS(pthread_rwlock_clockrdlock(&l, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
	IS(pthread_rwlock_timedwrlock(&l, &past), 0);
	IS(pthread_create(&t, NULL, tries, NULL), 0);
	IS(pthread_join(t, NULL), 0);
	IS(pthread_rwlock_unlock(&l), 0);
	IS(pthread_rwlock_timedrdlock(&l, &past), 0);
	IS(pthread_rwlock_clockrdlock(&l, CLOCK_REALTIME, &past), 0);
	IS(pthread_rwlock_unlock(&l), 0);
	IS(pthread_rwlock_unlock(&l), 0);
	IS(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &past), 0);
	IS(pthread_rwlock_unlock(&l), 0);
	return done();
}
