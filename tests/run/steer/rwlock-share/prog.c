/* Two readers may be inside together, a writer only alone.  A reader that tries is refused exactly while the writer is inside;
 * the one that reads already is not. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *result)
{
	*(int *)result = pthread_rwlock_tryrdlock(&l);
	if (*(int *)result == 0)
		pthread_rwlock_unlock(&l);
	return NULL;
}

static const char *word(int result)
{
	return result == EBUSY ? "EBUSY" : result ? "?" : "0";
}

int main(void)
{
	pthread_t a;
	int there, here;
	pthread_create(&a, NULL, reader, &there);
	pthread_rwlock_rdlock(&l);
	here = pthread_rwlock_tryrdlock(&l);
	if (!here)
		pthread_rwlock_unlock(&l);
	pthread_rwlock_unlock(&l);
	pthread_rwlock_wrlock(&l);
	pthread_rwlock_unlock(&l);
	pthread_join(a, NULL);
	printf("%s %s\n", word(there), word(here));
}
