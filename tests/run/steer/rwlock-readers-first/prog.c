/* The usual kind of lock: a writer that waits holds nobody back, so to read twice is safe. */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *unused)
{
	pthread_rwlock_wrlock(&l);
	pthread_rwlock_unlock(&l);
	return unused;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, writer, NULL);
	pthread_rwlock_rdlock(&l);
	pthread_rwlock_rdlock(&l);
	pthread_rwlock_unlock(&l);
	pthread_rwlock_unlock(&l);
	pthread_join(a, NULL);
	puts("done");
}
