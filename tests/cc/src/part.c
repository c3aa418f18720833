/* A library of its own: built once with raddle, once without. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

long PART(long n)
{
	pthread_mutex_lock(&lock);
	for (long i = 0; i < n; i++)
		total += i ^ n;
	pthread_mutex_unlock(&lock);
	return total;
}
