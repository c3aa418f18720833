/* Eight write the same, one reads. */
#include "../relaxed.h"

static atomic_int x;

THREAD(writes) { STORE(x, 1); return me; }
THREAD(reads)  { LOAD(x); return me; }

int main(void) { RUN(writes, writes, writes, writes, writes, writes, writes, writes, reads); return 0; }
