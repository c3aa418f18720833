/* With PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP a writer that waits holds new readers back: a second read lock by try is
 * refused (EBUSY) if the writer came to wait before, granted if not. */
#define _GNU_SOURCE
#include <errno.h>
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
	pthread_rwlock_rdlock(&l);
	pthread_create(&a, NULL, writer, NULL);
	int result = pthread_rwlock_tryrdlock(&l);
	if (!result)
		pthread_rwlock_unlock(&l);
	pthread_rwlock_unlock(&l);
	pthread_join(a, NULL);
	puts(result == EBUSY ? "EBUSY" : result ? "?" : "shared");
}
