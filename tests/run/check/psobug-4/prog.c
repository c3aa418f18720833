/* Three words written again and again, and a reader that looks at two of them if the third says so. */
#include "../relaxed.h"

static atomic_int x, y, z;
static _Thread_local volatile int odd;

THREAD(writes)
{
	for (int i = 0; i < 4; i++) {
		STORE(z, 0);
		STORE(x, 0);
		STORE(y, 0);
		STORE(x, 2);
		STORE(y, 3);
		STORE(z, 1);
	}
	return me;
}

THREAD(reads)
{
	for (int i = 0; i < 4; i++)
		if (LOAD(z) == 1) {
			int a = LOAD(x), b = LOAD(y);
			odd = a + 1 != b;
		}
	return me;
}

int main(void) { RUN(writes, reads); return 0; }
