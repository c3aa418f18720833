/* What is done at the end hangs on who asked for it first. */
#include "../relaxed.h"
#include <stdlib.h>
#include <unistd.h>
static int done;
static void first(void) { done = 1; }
static void second(void) { if (done) _exit(3); }
THREAD(one) { atexit(first); return me; }
THREAD(two) { atexit(second); return me; }
int main(void) { RUN(one, two); return 0; }
