/* The same with one that is copied word by word: a bug that is found. */
#include "../relaxed.h"
#include <assert.h>
static struct small { long v[6]; } from, to;
THREAD(writes) { for (int i = 0; i < 6; i++) ((volatile long *)from.v)[i] = 1; return me; }
THREAD(copies) { to = from; return me; }
int main(void) { RUN(copies, writes); assert(to.v[0] == to.v[5]); return 0; }
