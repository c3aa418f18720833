/* The owner of a robust mutex ends while it holds it.  A lock waits for that and gets EOWNERDEAD (or, before the owner came,
 * plain success, and the owner then waits); after pthread_mutex_consistent it is an ordinary mutex again. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m;

static void *die(void *unused)
{
	pthread_mutex_lock(&m);
	return unused;
}

int main(void)
{
	pthread_t a;
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &attr);
	pthread_create(&a, NULL, die, NULL);
	int result = pthread_mutex_lock(&m);
	if (result == EOWNERDEAD)
		pthread_mutex_consistent(&m);
	pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	int later = pthread_mutex_lock(&m);
	printf("%s, then %s\n", result == EOWNERDEAD ? "EOWNERDEAD" : result ? "?" : "first", later == EOWNERDEAD ? "EOWNERDEAD" : later ? "?" : "0");
}
