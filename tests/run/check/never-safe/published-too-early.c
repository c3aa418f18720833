/* A block is filled behind its publication. */
#include "../relaxed.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static _Atomic(char *) block;
THREAD(fills) { char *b = malloc(200); STORE(block, b); memset(b, 1, 200); return me; }
THREAD(looks) { char *b = LOAD(block); if (b) assert(b[5] == 1); return me; }
int main(void) { RUN(fills, looks); return 0; }
