/* A lock-free stack of nodes 1 and 2, 1 on top.  One pops; the other pops both and pushes 1 again, so that a compare-exchange takes
 * the 1 that came back for the 1 that was there.  Node 2 is not on the stack then, and must not be its top. */
#include "../relaxed.h"
#include <assert.h>

atomic_int top = 1, next[3], began;

static int moves(int from, int to) { return atomic_compare_exchange_strong(&top, &from, to); }

THREAD(pops)
{
	STORE(next[1], 2);
	STORE(began, 1);
	int t = LOAD(top), n = LOAD(next[t]);
	moves(t, n);
	return me;
}

THREAD(pops_both_and_pushes)
{
	if (LOAD(began) && LOAD(top) == 1 && moves(1, LOAD(next[1])) && moves(2, 0)) {
		STORE(next[1], 0);
		moves(0, 1);
	}
	return me;
}

int main(void)
{
	RUN(pops, pops_both_and_pushes);
	int t = LOAD(top), n = LOAD(next[1]);
	assert(t != 2 || n == 2);
	return 0;
}
