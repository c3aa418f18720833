#include <pthread.h>
#include <assert.h>
#include <raddle.h>
_Atomic int x;
static void *t(void *a) { int r = x++; raddle_assume(r == 5); return a; }
int main(void) { pthread_t p; pthread_create(&p,0,t,0); assert(x == 0); pthread_join(p,0); return 0; }
