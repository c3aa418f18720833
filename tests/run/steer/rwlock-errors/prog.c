/* The writer is told EDEADLK for either lock and EBUSY for either try; others who try while it writes are told EBUSY. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int other;

static void *try(void *unused)
{
	other = pthread_rwlock_trywrlock(&l);
	if (!other)
		pthread_rwlock_unlock(&l);
	return unused;
}

static const char *word(int result)
{
	return result == EBUSY ? "EBUSY" : result == EDEADLK ? "EDEADLK" : result ? "?" : "0";
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, try, NULL);
	pthread_rwlock_wrlock(&l);
	int w = pthread_rwlock_wrlock(&l), r = pthread_rwlock_rdlock(&l);
	int tw = pthread_rwlock_trywrlock(&l), tr = pthread_rwlock_tryrdlock(&l);
	pthread_rwlock_unlock(&l);
	pthread_join(a, NULL);
	printf("%s %s %s %s, %s\n", word(w), word(r), word(tw), word(tr), word(other));
}
