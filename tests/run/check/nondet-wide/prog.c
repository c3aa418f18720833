#include <pthread.h>
extern int __VERIFIER_nondet_int(void); void reach_error(void);
_Atomic int x;
static void *t(void *a) { x = 1; return a; }
int main(void) { pthread_t p; int v = __VERIFIER_nondet_int(); pthread_create(&p,0,t,0); int r = x; if (r > v && r < v) reach_error(); pthread_join(p,0); return 0; }
