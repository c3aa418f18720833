/* Two readers and a mutex in two orders, which nobody minds until a writer waits: it goes first. */
#include <pthread.h>

static pthread_rwlock_t l;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value, seen;

static void *first(void *unused)
{
	pthread_rwlock_rdlock(&l);
	pthread_mutex_lock(&m);                 /*@A*/
	seen += value;
	pthread_mutex_unlock(&m);
	pthread_rwlock_unlock(&l);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_rwlock_rdlock(&l);              /*@B*/
	seen += value;
	pthread_rwlock_unlock(&l);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_rwlockattr_t how;
	pthread_t one, two;
	pthread_rwlockattr_init(&how);
#ifndef OK
	pthread_rwlockattr_setkind_np(&how, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
	pthread_rwlock_init(&l, &how);
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_rwlock_wrlock(&l);              /*@C*/
	value++;
	pthread_rwlock_unlock(&l);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
