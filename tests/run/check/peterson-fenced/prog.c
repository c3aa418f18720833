/* Peterson's lock with the fences it needs: one that empties the buffer, one that keeps the two stores before it in order (PSO). */
#include "../relaxed.h"
#include <assert.h>

atomic_int want[2], turn, inside;

THREAD(enters)
{
	long i = (long)me;
	STORE(want[i], 1);
	atomic_thread_fence(memory_order_release);
	STORE(turn, 1 - (int)i);
	atomic_thread_fence(memory_order_seq_cst);
	int other, whose;
	do {
		other = LOAD(want[1 - i]);
		whose = LOAD(turn);
	} while (other == 1 && whose == 1 - i);
	int n = LOAD(inside);
	STORE(inside, n + 1);
	n = LOAD(inside);
	assert(n == 1);
	atomic_thread_fence(memory_order_release);
	STORE(inside, 0);
	PUBLISH(want[i], 0);
	return NULL;
}

int main(void) { RUN(enters, enters); return 0; }
