/* trylock of a robust mutex: taken before the owner came, EBUSY while it lives, EOWNERDEAD from the moment it has ended, never
 * something that depends on when the kernel notices.  Not made consistent, it cannot be recovered afterwards. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m;

static void *die(void *unused)
{
	pthread_mutex_lock(&m);
	return unused;
}

static const char *word(int result)
{
	return result == EBUSY ? "EBUSY" : result == EOWNERDEAD ? "EOWNERDEAD" : result == ENOTRECOVERABLE ? "ENOTRECOVERABLE" :
		result ? "?" : "taken";
}

int main(void)
{
	pthread_t a;
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &attr);
	pthread_create(&a, NULL, die, NULL);
	int result = pthread_mutex_trylock(&m);
	if (result != EBUSY)
		pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	printf("%s, %s\n", word(result), word(pthread_mutex_lock(&m)));
}
