/* More stores behind the one others see than a buffer holds. */
#include "relaxed.h"

static atomic_int x, y;
static volatile int own[2];

THREAD(first)  { STORE(x, 1); for (int i = 0; i < 300; i++) own[0] = i; LOAD(y); return me; }
THREAD(second) { STORE(y, 1); LOAD(x); return me; }

int main(void) { RUN(first, second); return 0; }
