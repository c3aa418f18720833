/* Nobody ever sets it. */
#include "../relaxed.h"

atomic_int x, y;

THREAD(waits) { while (LOAD(x) == 0) { } return me; }
THREAD(writes) { STORE(y, 1); return me; }

int main(void) { RUN(waits, writes); return 0; }
