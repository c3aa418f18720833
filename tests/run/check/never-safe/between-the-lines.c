/* What a library function does inside stands between the two writes. */
#include "../relaxed.h"
#include <assert.h>
#include <stdio.h>
static volatile int x;
THREAD(reads) { assert(x != 1); return me; }
THREAD(writes) { x = 2; perror("between"); x = 1; x = 0; return me; }
int main(void) { RUN(reads, writes); return 0; }
