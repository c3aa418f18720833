/* Two readers and a writer of two words. */
#include "../relaxed.h"
#include <assert.h>

static int x, y;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

THREAD(reads)
{
	pthread_rwlock_rdlock(&l);
	int a = *(volatile int *)&x, b = *(volatile int *)&y;
	assert(a == b);
	pthread_rwlock_unlock(&l);
	return me;
}

THREAD(writes)
{
	pthread_rwlock_wrlock(&l);
	*(volatile int *)&x = 1;
	*(volatile int *)&y = 1;
	pthread_rwlock_unlock(&l);
	return me;
}

int main(void) { RUN(reads, reads, writes); return 0; }
