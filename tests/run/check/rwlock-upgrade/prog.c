/* Two look under a read-write lock whether it was made, and make it if not: the first look is not enough. */
#include "../relaxed.h"
#include <assert.h>

static atomic_int made, times;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

THREAD(makes)
{
	pthread_rwlock_rdlock(&lock);
	int there = LOAD(made);
	pthread_rwlock_unlock(&lock);
	if (!there) {
		pthread_rwlock_wrlock(&lock);
		STORE(made, 1);
		int n = LOAD(times);
		STORE(times, n + 1);
		pthread_rwlock_unlock(&lock);
	}
	return me;
}

int main(void)
{
	RUN(makes, makes);
	int n = LOAD(times);
	assert(n == 1);
	return 0;
}
