/* Lamport's fast lock, two threads; who would have to wait gives up.  Right under SC alone. */
#include "../relaxed.h"
#include <assert.h>

atomic_int want[2], x, y, inside;

static int may_enter(int i)
{
	STORE(want[i], 1);
	STORE(x, i + 1);
	if (LOAD(y))
		return 0;
	STORE(y, i + 1);
	if (LOAD(x) == i + 1)
		return 1;
	STORE(want[i], 0);
	return !LOAD(want[1 - i]) && LOAD(y) == i + 1;
}

THREAD(tries)
{
	int i = (int)(long)me;
	if (may_enter(i)) {
		int n = LOAD(inside);
		assert(n == 0);
		STORE(inside, 1);
		STORE(inside, 0);
		STORE(y, 0);
	}
	STORE(want[i], 0);
	return NULL;
}

int main(void) { RUN(tries, tries); return 0; }
