/* Where a block is put hangs on its address. */
#include "../relaxed.h"
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static atomic_int first;
static char *volatile slots[2];
THREAD(allocates) { char *b = malloc(16); atomic_fetch_add(&first, 1); slots[((uintptr_t)b >> 6) & 1] = b; return me; }
int main(void) { RUN(allocates, allocates); assert(slots[0] && slots[1]); return 0; }
