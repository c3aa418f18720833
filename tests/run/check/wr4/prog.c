/* Two pairs that have nothing to do with each other. */
#include "../relaxed.h"

static atomic_int x, y;

THREAD(writes_x) { STORE(x, 1); return me; }
THREAD(reads_x)  { LOAD(x); return me; }
THREAD(writes_y) { STORE(y, 1); return me; }
THREAD(reads_y)  { LOAD(y); return me; }

int main(void) { RUN(writes_x, reads_x, writes_y, reads_y); return 0; }
