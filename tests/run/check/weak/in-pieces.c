/* Eight bytes at a time, whatever the program calls them. */
#include "relaxed.h"

struct four { int a, b, c, d; };
static struct four to, from = { 1, 2, 3, 4 };

THREAD(first)  { to = from; return me; }
THREAD(second) { struct four got = to; return got.a == got.d ? me : NULL; }

int main(void) { RUN(first, second); return 0; }
