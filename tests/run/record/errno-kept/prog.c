/* Calls that succeed, and calls that return their error, leave errno alone. */
#include "../check.h"
#include <semaphore.h>

#define KEEPS(call) (errno = 4711, (void)(call), IS(errno, 4711))

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t o = PTHREAD_ONCE_INIT;

static void *nothing(void *unused)
{
	return unused;
}

static void routine(void)
{
}

int main(void)
{
	pthread_t t;
	pthread_key_t key;
	pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
	pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	struct timespec past = { 0, 0 };
	sem_t s;
	KEEPS(pthread_mutex_lock(&m));
	KEEPS(pthread_mutex_trylock(&m));
	KEEPS(pthread_mutex_timedlock(&m, &past));
	KEEPS(pthread_cond_timedwait(&c, &m, &past));
	KEEPS(pthread_cond_signal(&c));
	KEEPS(pthread_mutex_unlock(&m));
	KEEPS(pthread_rwlock_wrlock(&l));
	KEEPS(pthread_rwlock_tryrdlock(&l));
	KEEPS(pthread_rwlock_unlock(&l));
	KEEPS(pthread_once(&o, routine));
	KEEPS(pthread_key_create(&key, free));
	KEEPS(sem_init(&s, 0, 0));
	KEEPS(sem_post(&s));
	KEEPS(sem_wait(&s));
	KEEPS(sched_yield());
	KEEPS(pthread_create(&t, NULL, nothing, NULL));
	KEEPS(pthread_join(t, NULL));
	for (int i = 0; i < 3000; i++) {        /* past the end of a segment */
		KEEPS(pthread_mutex_lock(&m));
		KEEPS(pthread_mutex_unlock(&m));
	}
	return done();
}
