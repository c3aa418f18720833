/* Code nobody watches brings the store to memory. */
#include <stdio.h>

#include "relaxed.h"

static atomic_int x, y;

THREAD(first)  { STORE(x, 1); puts("here"); LOAD(y); return me; }
THREAD(second) { STORE(y, 1); LOAD(x); return me; }

int main(void) { RUN(first, second); return 0; }
