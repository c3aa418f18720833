/* A large struct is copied while it is written. */
#include "../relaxed.h"
#include <assert.h>
static struct large { long v[40]; } from, to;
THREAD(copies) { to = from; return me; }
THREAD(writes) { *(volatile long *)&from.v[0] = 1; *(volatile long *)&from.v[39] = 1; return me; }
int main(void) { RUN(copies, writes); assert(to.v[0] == to.v[39]); return 0; }
