/* A function of the library that is handed over. */
#include "../relaxed.h"
#include <assert.h>
#include <stdlib.h>
static int (*_Atomic handed)(const char *);
THREAD(gives) { STORE(handed, atoi); return me; }
THREAD(calls) { int (*f)(const char *) = LOAD(handed); assert(!f || f("7") == 0); return me; }
int main(void) { RUN(gives, calls); return 0; }
