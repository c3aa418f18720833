/* A library function called through a pointer makes no event. */
#include "../relaxed.h"
#include <assert.h>
#include <string.h>
static int x, one = 1;
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
THREAD(reads) { int v; copy(&v, &x, sizeof v); assert(v == 0); return me; }
THREAD(writes) { copy(&x, &one, sizeof x); return me; }
int main(void) { RUN(reads, writes); return 0; }
