/* One writer, one reader who reads again until nothing changed meanwhile. */
#include <assert.h>

#include "../relaxed.h"

static atomic_int number, x, y;

THREAD(writes)
{
	STORE(number, 1);
	atomic_thread_fence(memory_order_release);
	STORE(x, 1);
	STORE(y, 1);
	PUBLISH(number, 2);
	return me;
}

THREAD(reads)
{
	int before, a, b, behind;
	do {
		before = LOAD(number);
		a = LOAD(x);
		b = LOAD(y);
		behind = LOAD(number);
	} while (before % 2 || behind != before);
	assert(a == b);
	return me;
}

int main(void) { RUN(writes, reads); return 0; }
