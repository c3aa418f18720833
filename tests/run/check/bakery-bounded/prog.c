/* The bakery with fences; who has looked twice in vain gives up. */
#include "../relaxed.h"
#include <assert.h>

atomic_int choosing[2], number[2], inside;

static int comes_before(int other, int mine, long i) { return other != 0 && (other < mine || (other == mine && i == 1)); }

static int may_enter(long i, int mine)
{
	if (LOAD(choosing[1 - i]) && LOAD(choosing[1 - i]))
		return 0;
	return !comes_before(LOAD(number[1 - i]), mine, i) || !comes_before(LOAD(number[1 - i]), mine, i);
}

THREAD(tries)
{
	long i = (long)me;
	STORE(choosing[i], 1);
	atomic_thread_fence(memory_order_seq_cst);
	int mine = LOAD(number[1 - i]) + 1;
	STORE(number[i], mine);
	atomic_thread_fence(memory_order_seq_cst);
	STORE(choosing[i], 0);
	if (may_enter(i, mine)) {
		int n = LOAD(inside);
		assert(n == 0);
		STORE(inside, 1);
		PUBLISH(inside, 0);
	}
	PUBLISH(number[i], 0);
	return NULL;
}

int main(void) { RUN(tries, tries); return 0; }
