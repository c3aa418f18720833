#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);
_Atomic int x;
static void *t(void *a) { x = 1; return a; }
int main(void) { pthread_t p; int v = __VERIFIER_nondet_uchar(); pthread_create(&p,0,t,0); int r = x; if (r > 1 || v > 255) reach_error(); pthread_join(p,0); return 0; }
