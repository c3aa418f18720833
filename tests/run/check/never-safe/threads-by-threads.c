/* Threads that create threads side by side: where their stacks lie tells who was first. */
#include "../relaxed.h"
#include <assert.h>
static atomic_int x;
THREAD(adds) { int v = LOAD(x); STORE(x, v + 1); return me; }
THREAD(creates) { pthread_t t; pthread_create(&t, NULL, adds, me); adds(me); pthread_join(t, NULL); return me; }
int main(void) { RUN(creates, creates); assert(LOAD(x) >= 2); return 0; }
