#include <pthread.h>
#include <assert.h>
_Atomic int x;
static void *t(void *a) { int r = ++x; assert(r < 3); return a; }
int main(void) { pthread_t p; for (;;) pthread_create(&p,0,t,0); }
