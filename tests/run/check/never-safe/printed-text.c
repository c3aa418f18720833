/* How much printf puts out hangs on a text another thread cuts. */
#include "../relaxed.h"
#include <assert.h>
#include <stdio.h>
static char text[16] = "abcdefgh";
THREAD(prints) { int n = printf("%s\n", text); assert(n == 9); return me; }
THREAD(cuts) { ((volatile char *)text)[0] = 0; return me; }
int main(void) { RUN(prints, cuts); return 0; }
