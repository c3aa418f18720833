/* A read in a function that asks not to be watched. */
#include "../relaxed.h"
#include <assert.h>
static volatile int x;
__attribute__((no_sanitize("thread"))) THREAD(reads) { assert(x == 0); return me; }
THREAD(writes) { x = 1; return me; }
int main(void) { RUN(reads, writes); return 0; }
