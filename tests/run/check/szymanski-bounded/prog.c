/* Szymanski's lock; who would have to wait gives up.  Right under SC alone. */
#include "../relaxed.h"
#include <assert.h>

atomic_int flag[2], inside;

static int may_enter(long i)
{
	STORE(flag[i], 1);
	if (LOAD(flag[1 - i]) >= 3)
		return 0;
	STORE(flag[i], 3);
	if (LOAD(flag[1 - i]) == 1) {
		STORE(flag[i], 2);
		if (LOAD(flag[1 - i]) != 4)
			return 0;
	}
	STORE(flag[i], 4);
	return i == 0 || LOAD(flag[0]) < 2;
}

THREAD(tries)
{
	long i = (long)me;
	if (may_enter(i)) {
		int n = LOAD(inside);
		assert(n == 0);
		STORE(inside, 1);
		STORE(inside, 0);
	}
	STORE(flag[i], 0);
	return NULL;
}

int main(void) { RUN(tries, tries); return 0; }
