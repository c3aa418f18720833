/* Work that is stolen: the owner puts two things at the bottom and takes two there, a thief tries twice at the top.  Each is had once. */
#include "../relaxed.h"
#include <assert.h>

atomic_int top, bottom, item[2], had[3];

static int moves(int from) { return atomic_compare_exchange_strong(&top, &from, from + 1); }

static void has(int x)
{
	if (x) {
		int n = atomic_fetch_add(&had[x], 1);
		assert(n == 0);
	}
}

static void put(int at, int x)
{
	STORE(item[at], x);
	PUBLISH(bottom, at + 1);
}

static int take(void)
{
	int b = LOAD(bottom) - 1, x = 0;
	STORE(bottom, b);
	atomic_thread_fence(memory_order_seq_cst);
	int t = LOAD(top);
	if (t < b)
		return LOAD(item[b]);
	if (t == b) {
		x = LOAD(item[b]);
		if (!moves(t))
			x = 0;
	}
	STORE(bottom, b + 1);
	return x;
}

THREAD(owns)
{
	put(0, 1);
	put(1, 2);
	has(take());
	has(take());
	return me;
}

static void steal(void)
{
	int t = LOAD(top);
	atomic_thread_fence(memory_order_seq_cst);
	int b = LOAD(bottom);
	if (t < b) {
		int x = LOAD(item[t]);
		if (moves(t))
			has(x);
	}
}

THREAD(steals)
{
	steal();
	steal();
	return me;
}

int main(void) { RUN(owns, steals); return 0; }
