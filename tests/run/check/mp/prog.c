/* A message and its flag. */
#include "../relaxed.h"

static atomic_int x, y;

THREAD(first)  { STORE(x, 1); STORE(y, 1); return me; }
THREAD(second) { LOAD(y); LOAD(x); return me; }

int main(void) { RUN(first, second); return 0; }
