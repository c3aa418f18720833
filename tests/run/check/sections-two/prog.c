#include <pthread.h>
#include <assert.h>
#include <raddle.h>
_Atomic int x;
static void *t(void *a) { raddle_atomic_begin(); int r = x; raddle_atomic_end(); raddle_atomic_begin(); x = r + 1; raddle_atomic_end(); return a; }
int main(void) { pthread_t p,q; pthread_create(&p,0,t,0); pthread_create(&q,0,t,0); pthread_join(p,0); pthread_join(q,0); assert(x==2); return 0; }
