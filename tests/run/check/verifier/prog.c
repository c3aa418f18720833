#include <pthread.h>
extern void __VERIFIER_assume(int); extern void __VERIFIER_error(void) __attribute__((noreturn)); extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); extern _Bool __VERIFIER_nondet_bool(void);
int m, x;
static void lock(void) { __VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 1; __VERIFIER_atomic_end(); }
static void unlock(void) { __VERIFIER_atomic_begin(); m = 0; __VERIFIER_atomic_end(); }
static void *t(void *a) { lock(); int r = x; x = r + 1; unlock(); return a; }
int main(void) { pthread_t p,q; if (__VERIFIER_nondet_bool()) x = 0; pthread_create(&p,0,t,0); pthread_create(&q,0,t,0); pthread_join(p,0); pthread_join(q,0); if (x != 2) __VERIFIER_error(); return 0; }
