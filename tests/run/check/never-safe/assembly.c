/* A read by inline assembly. */
#include "../relaxed.h"
#include <assert.h>
static int x;
THREAD(reads) { int v; __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(x)); assert(v == 0); return me; }
THREAD(writes) { *(volatile int *)&x = 1; return me; }
int main(void) { RUN(reads, writes); return 0; }
