/* Peterson's lock; who has looked three times in vain gives up.  Right under SC alone. */
#include "../relaxed.h"
#include <assert.h>

atomic_int want[2], turn, inside;

THREAD(tries)
{
	long i = (long)me;
	int other = 1, whose = 1 - (int)i;
	STORE(want[i], 1);
	STORE(turn, 1 - (int)i);
	for (int n = 0; n < 3 && other && whose != i; n++) {
		other = LOAD(want[1 - i]);
		whose = LOAD(turn);
	}
	if (!other || whose == i) {
		int n = LOAD(inside);
		assert(n == 0);
		STORE(inside, 1);
		STORE(inside, 0);
	}
	STORE(want[i], 0);
	return NULL;
}

int main(void) { RUN(tries, tries); return 0; }
