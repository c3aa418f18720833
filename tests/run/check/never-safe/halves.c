/* One store, half of it to memory only its thread uses. */
#include "../relaxed.h"
#include <assert.h>
typedef long pair __attribute__((vector_size(16)));
static union { pair both; struct { long mine; _Atomic long shared; } s; } p;
THREAD(writes) { p.both = (pair){ 1, 2 }; return me; }
THREAD(reads) { long v = LOAD(p.s.shared); assert(v == 2); return me; }
int main(void) { RUN(writes, reads); return 0; }
