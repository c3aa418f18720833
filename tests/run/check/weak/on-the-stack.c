/* Stores into frames that are gone when the thread ends, and a store that others see among them. */
#include "relaxed.h"

static atomic_int x, y;
static void add(int *p) { *p = *p + 1; }
static void (*volatile adds)(int *) = add;

THREAD(first)  { int a = 0; adds(&a); STORE(x, a); adds(&a); return LOAD(y) ? me : NULL; }
THREAD(second) { int a = 0; adds(&a); STORE(y, a); adds(&a); return LOAD(x) ? me : NULL; }

int main(void) { RUN(first, second); return 0; }
