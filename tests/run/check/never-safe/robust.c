/* A lock whose owner has ended. */
#include "../relaxed.h"
#include <assert.h>
#include <errno.h>
static pthread_mutex_t m;
static int got;
THREAD(keeps) { pthread_mutex_lock(&m); return me; }
THREAD(takes) { got = pthread_mutex_lock(&m); if (!got) pthread_mutex_unlock(&m); return me; }
int main(void)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &a);
	RUN(keeps, takes);
	assert(got != EOWNERDEAD);
	return 0;
}
