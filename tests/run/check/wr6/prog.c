/* Three pairs that have nothing to do with each other. */
#include "../relaxed.h"

static atomic_int x, y, z;

THREAD(writes_x) { STORE(x, 1); return me; }
THREAD(reads_x)  { LOAD(x); return me; }
THREAD(writes_y) { STORE(y, 1); return me; }
THREAD(reads_y)  { LOAD(y); return me; }
THREAD(writes_z) { STORE(z, 1); return me; }
THREAD(reads_z)  { LOAD(z); return me; }

int main(void) { RUN(writes_x, reads_x, writes_y, reads_y, writes_z, reads_z); return 0; }
