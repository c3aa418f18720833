/* A ring of two for three numbers, one who puts and one who takes, both waiting for as long as it takes. */
#include "../relaxed.h"
#include <assert.h>

atomic_int put, taken, slot[2];

THREAD(puts_three)
{
	for (int i = 0; i < 3; i++) {
		while (i - LOAD(taken) == 2)
			;
		STORE(slot[i % 2], i + 1);
		PUBLISH(put, i + 1);
	}
	return me;
}

THREAD(takes_three)
{
	for (int i = 0; i < 3; i++) {
		while (LOAD(put) == i)
			;
		int n = LOAD(slot[i % 2]);
		assert(n == i + 1);
		PUBLISH(taken, i + 1);
	}
	return me;
}

int main(void) { RUN(puts_three, takes_three); return 0; }
