/* Tries in both modes against a lock held in both modes. */
#include "../check.h"

static pthread_rwlock_t l;

static void *against_writer(void *unused)
{
	IS(pthread_rwlock_tryrdlock(&l), EBUSY);
	IS(pthread_rwlock_trywrlock(&l), EBUSY);
	return unused;
}

static void *against_reader(void *unused)
{
	IS(pthread_rwlock_trywrlock(&l), EBUSY);
	IS(pthread_rwlock_tryrdlock(&l), 0);
	IS(pthread_rwlock_unlock(&l), 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	IS(pthread_rwlock_init(&l, NULL), 0);
	IS(pthread_rwlock_trywrlock(&l), 0);
	IS(pthread_create(&t, NULL, against_writer, NULL), 0);
	IS(pthread_join(t, NULL), 0);
	IS(pthread_rwlock_unlock(&l), 0);
	IS(pthread_rwlock_tryrdlock(&l), 0);
	IS(pthread_create(&t, NULL, against_reader, NULL), 0);
	IS(pthread_join(t, NULL), 0);
	IS(pthread_rwlock_unlock(&l), 0);
	IS(pthread_rwlock_destroy(&l), 0);
	return done();
}
