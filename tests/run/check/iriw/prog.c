/* Memory is one for all: the two readers cannot see the writes in two orders. */
#include "../relaxed.h"

static atomic_int x, y;

THREAD(first)  { STORE(x, 1); return me; }
THREAD(second) { STORE(y, 1); return me; }
THREAD(xy)     { LOAD(x); LOAD(y); return me; }
THREAD(yx)     { LOAD(y); LOAD(x); return me; }

int main(void) { RUN(first, second, xy, yx); return 0; }
