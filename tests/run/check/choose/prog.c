/* Who gives draws how much, who takes draws whether it looks. */
#include <assert.h>
#include <raddle.h>

#include "../relaxed.h"

atomic_int x;

THREAD(gives)
{
	STORE(x, (int)raddle_choose(3));
	if (raddle_choose(2))
		STORE(x, 7);
	return me;
}

THREAD(takes)
{
	if (raddle_choose(2)) {
		int n = LOAD(x);
		assert(n != 2);
	}
	return me;
}

int main(void) { RUN(gives, takes); return 0; }
