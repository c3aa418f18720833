/* Dekker's lock with fences; who has looked twice in vain gives up. */
#include "../relaxed.h"
#include <assert.h>

atomic_int want[2], turn, inside;

static int wants(long i)
{
	STORE(want[i], 1);
	atomic_thread_fence(memory_order_seq_cst);
	return LOAD(want[1 - i]);
}

THREAD(tries)
{
	long i = (long)me;
	int other = wants(i);
	if (other) {
		if (LOAD(turn) == i) {
			other = LOAD(want[1 - i]);
		} else {
			STORE(want[i], 0);
			if (LOAD(turn) == i)
				other = wants(i);
		}
	}
	if (!other) {
		int n = LOAD(inside);
		assert(n == 0);
		STORE(inside, 1);
		PUBLISH(inside, 0);
		PUBLISH(turn, 1 - (int)i);
	}
	PUBLISH(want[i], 0);
	return NULL;
}

int main(void) { RUN(tries, tries); return 0; }
