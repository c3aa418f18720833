/* A lock-free queue (Michael and Scott): two put a node each, one takes one.  Node 1 is the first dummy, 0 is none. */
#include "../relaxed.h"
#include <assert.h>

atomic_int head = 1, tail = 1, next[4];

static int moves(atomic_int *what, int from, int to) { return atomic_compare_exchange_strong(what, &from, to); }

THREAD(puts_one)
{
	int node = (int)(long)me + 2;
	for (;;) {
		int t = LOAD(tail), n = LOAD(next[t]);
		if (n) {
			moves(&tail, t, n);
		} else if (moves(&next[t], 0, node)) {
			moves(&tail, t, node);
			return NULL;
		}
	}
}

THREAD(takes_one)
{
	int h = LOAD(head), t = LOAD(tail), n = LOAD(next[h]);
	if (!n)
		return me;
	if (h == t)
		moves(&tail, t, n);
	int took = moves(&head, h, n);
	assert(took);
	return me;
}

int main(void)
{
	RUN(puts_one, puts_one, takes_one);
	LOAD(head);
	int t = LOAD(tail), n = LOAD(next[t]);
	assert(n == 0);
	return 0;
}
