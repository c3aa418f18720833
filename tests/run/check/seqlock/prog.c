/* One writer, one reader who takes what it read only if the number did not change. */
#include <assert.h>

#include "../relaxed.h"

static atomic_int number, x, y;

THREAD(writes)
{
	STORE(number, 1);
	atomic_thread_fence(memory_order_release);
	STORE(x, 1);
	STORE(y, 1);
	atomic_store_explicit(&number, 2, memory_order_release);
	return me;
}

THREAD(reads)
{
	int before = LOAD(number);
	if (before % 2 == 0) {
		int a = LOAD(x), b = LOAD(y);
		if (LOAD(number) == before)
			assert(a == b);
	}
	return me;
}

int main(void) { RUN(writes, reads); return 0; }
