/* A lock by compare-exchange, waiting for as long as it takes. */
#include "../relaxed.h"
#include <assert.h>

static atomic_int taken, n;

THREAD(adds)
{
	for (int was = 0; !atomic_compare_exchange_strong(&taken, &was, 1); was = 0)
		;
	int r = LOAD(n);
	STORE(n, r + 1);
	atomic_store_explicit(&taken, 0, memory_order_release);
	return me;
}

int main(void)
{
	RUN(adds, adds);
	int r = LOAD(n);
	assert(r == 2);
	return 0;
}
