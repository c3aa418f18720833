/* A ticket lock, waiting for as long as it takes. */
#include "../relaxed.h"
#include <assert.h>

static atomic_int next, serving, inside;

THREAD(enters)
{
	int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
	while (LOAD(serving) != mine)
		;
	int n = LOAD(inside);
	assert(n == 0);
	STORE(inside, 1);
	STORE(inside, 0);
	atomic_store_explicit(&serving, mine + 1, memory_order_release);
	return me;
}

int main(void) { RUN(enters, enters); return 0; }
