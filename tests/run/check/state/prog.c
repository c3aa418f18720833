/* Two counters without care, of 1492 behaviours, some of which fail in one of three ways. */
#include <assert.h>

#include "../relaxed.h"

static atomic_int c;

THREAD(up)   { for (int i = 0; i < 4; i++) { int r = LOAD(c); STORE(c, r + 1); } return me; }
THREAD(down) { for (int i = 0; i < 4; i++) { int r = LOAD(c); STORE(c, r - 1); } return me; }

int main(void)
{
	RUN(up, down);
	int at_last = LOAD(c);
	assert(at_last != 4);
	assert(at_last != -4);
	return at_last == 3;
}
