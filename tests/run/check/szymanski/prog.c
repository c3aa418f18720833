/* Szymanski's lock, two threads, each once, waiting for as long as it takes; right under SC alone. */
#include "../relaxed.h"
#include <assert.h>

atomic_int flag[2], inside;

static int waits_behind(int other) { return other == 2 || other == 3; }

THREAD(enters)
{
	long i = (long)me;
	STORE(flag[i], 1);
	while (LOAD(flag[1 - i]) >= 3)
		;
	STORE(flag[i], 3);
	if (LOAD(flag[1 - i]) == 1) {
		STORE(flag[i], 2);
		while (LOAD(flag[1 - i]) != 4)
			;
	}
	STORE(flag[i], 4);
	while (i == 1 && LOAD(flag[0]) >= 2)
		;
	int n = LOAD(inside);
	assert(n == 0);
	STORE(inside, 1);
	STORE(inside, 0);
	while (i == 0 && waits_behind(LOAD(flag[1])))
		;
	STORE(flag[i], 0);
	return NULL;
}

int main(void) { RUN(enters, enters); return 0; }
