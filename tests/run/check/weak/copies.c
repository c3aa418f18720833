/* What a library function copies waits, too, in pieces of its own. */
#include <string.h>

#include "relaxed.h"

static atomic_int x, y;
static char from[64], to[64];
static volatile size_t bytes = 40;

THREAD(first)  { memcpy(to, from, bytes); STORE(x, 1); LOAD(y); return to[bytes - 1] ? NULL : me; }
THREAD(second) { STORE(y, 1); LOAD(x); return me; }

int main(void) { RUN(first, second); return 0; }
