/* Dekker's lock, each thread once, waiting for as long as it takes; right under SC alone. */
#include "../relaxed.h"
#include <assert.h>

atomic_int want[2], turn, inside;

THREAD(enters)
{
	long i = (long)me;
	STORE(want[i], 1);
	while (LOAD(want[1 - i])) {
		if (LOAD(turn) == i)
			continue;
		STORE(want[i], 0);
		while (LOAD(turn) != i)
			;
		STORE(want[i], 1);
	}
	int n = LOAD(inside);
	assert(n == 0);
	STORE(inside, 1);
	STORE(inside, 0);
	STORE(turn, 1 - (int)i);
	STORE(want[i], 0);
	return NULL;
}

int main(void) { RUN(enters, enters); return 0; }
