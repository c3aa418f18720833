/* Two that must not both read 0: under SC they do not. */
#include <assert.h>

#include "relaxed.h"

static atomic_int x, y, a, b;

THREAD(first)  { STORE(x, 1); STORE(a, LOAD(y) + 1); return me; }
THREAD(second) { STORE(y, 1); STORE(b, LOAD(x) + 1); return me; }

int main(void)
{
	RUN(first, second);
	assert(LOAD(a) != 1 || LOAD(b) != 1);
	return 0;
}
