/* The same lock read twice by one thread: if a writer comes to wait in between, both wait for ever.  A lock of the usual kind
 * lets the reader in: no deadlock. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

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
