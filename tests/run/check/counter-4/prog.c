/* One counts up, one down, four times each, without care. */
#include "../relaxed.h"

static atomic_int c;

THREAD(up)   { for (int i = 0; i < 4; i++) { int r = LOAD(c); STORE(c, r + 1); } return me; }
THREAD(down) { for (int i = 0; i < 4; i++) { int r = LOAD(c); STORE(c, r - 1); } return me; }

int main(void)
{
	RUN(up, down);
	LOAD(c);
	return 0;
}
