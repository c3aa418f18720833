#include <pthread.h>
#include <assert.h>
#include <raddle.h>
_Atomic int x, y;
static void *t(void *a) { x = 1; y = 1; return a; }
int main(void) { pthread_t p; pthread_create(&p,0,t,0); int r = y; raddle_assume(r == 1); assert(x == 1); pthread_join(p,0); return 0; }
