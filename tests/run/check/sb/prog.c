/* Two threads, each writes its own and reads the other's. */
#include "../relaxed.h"

static atomic_int x, y;

THREAD(first)  { STORE(x, 1); LOAD(y); return me; }
THREAD(second) { STORE(y, 1); LOAD(x); return me; }

int main(void) { RUN(first, second); return 0; }
