/* Written before the barrier, read after it; who of the two is told to be the serial one is a result. */
#include "../relaxed.h"
#include <assert.h>

static atomic_int a[2];
static pthread_barrier_t b;

THREAD(meets)
{
	long i = (long)me;
	STORE(a[i], (int)i + 1);
	pthread_barrier_wait(&b);
	int r = LOAD(a[1 - i]);
	assert(r == 2 - i);
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&b, NULL, 2);
	RUN(meets, meets);
	return 0;
}
