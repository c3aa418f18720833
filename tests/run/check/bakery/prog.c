/* The bakery, two threads, each once, waiting for as long as it takes; right under SC alone. */
#include "../relaxed.h"
#include <assert.h>

atomic_int choosing[2], number[2], inside;

static int comes_before(int other, int mine, long i) { return other != 0 && (other < mine || (other == mine && i == 1)); }

THREAD(enters)
{
	long i = (long)me;
	STORE(choosing[i], 1);
	int mine = LOAD(number[1 - i]) + 1;
	STORE(number[i], mine);
	STORE(choosing[i], 0);
	while (LOAD(choosing[1 - i]))
		;
	while (comes_before(LOAD(number[1 - i]), mine, i))
		;
	int n = LOAD(inside);
	assert(n == 0);
	STORE(inside, 1);
	STORE(inside, 0);
	STORE(number[i], 0);
	return NULL;
}

int main(void) { RUN(enters, enters); return 0; }
