/* Two readers at once, a writer that waits for both, and what one thread may not do to itself. */
#include "../check.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static volatile pid_t tid;

static void *reads(void *unused)
{
	IS(pthread_rwlock_rdlock(&l), 0);
	IS(pthread_rwlock_unlock(&l), 0);
	return unused;
}

static void *writes(void *unused)
{
	here(&tid);
	IS(pthread_rwlock_wrlock(&l), 0);
	IS(pthread_rwlock_rdlock(&l), EDEADLK);
	IS(pthread_rwlock_wrlock(&l), EDEADLK);
	IS(pthread_rwlock_unlock(&l), 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	IS(pthread_rwlock_rdlock(&l), 0);
	IS(pthread_create(&t, NULL, reads, NULL), 0);
	IS(pthread_join(t, NULL), 0);
	IS(pthread_create(&t, NULL, writes, NULL), 0);
	asleep(&tid);
	IS(pthread_rwlock_unlock(&l), 0);
	IS(pthread_join(t, NULL), 0);
	return done();
}
