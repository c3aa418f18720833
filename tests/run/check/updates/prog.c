/* Two add, one swaps, one exchanges if it finds what it expects. */
#include "../relaxed.h"

static atomic_int n;

THREAD(adds)  { atomic_fetch_add_explicit(&n, 1, memory_order_relaxed); return me; }
THREAD(swaps) { atomic_exchange_explicit(&n, 5, memory_order_relaxed); return me; }
THREAD(tries) { int two = 2; atomic_compare_exchange_strong_explicit(&n, &two, 7, memory_order_relaxed, memory_order_relaxed); return me; }

int main(void)
{
	RUN(adds, adds, swaps, tries);
	LOAD(n);
	return 0;
}
