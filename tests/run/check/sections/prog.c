#include <pthread.h>
#include <assert.h>
#include <raddle.h>
int x;
static void *t(void *a) { raddle_atomic_begin(); x = x + 1; raddle_atomic_end(); return a; }
int main(void) { pthread_t p,q; pthread_create(&p,0,t,0); pthread_create(&q,0,t,0); pthread_join(p,0); pthread_join(q,0); assert(x==2); return 0; }
