/* bench/checks.c -- programs for `raddle check`, one by its name: -DCOUNTER, -DPSOBUG, -DSAMEW, -DREADERS or -DSTEPS, of size -DN=<n>.
 *   counter  two threads, n times each: one counts up, one down, without care           reads grow
 *   psobug   three words written n times, and a reader that looks at two of them if the third says so
 *   samew    n threads write the same, one reads it                                     threads that make no difference grow
 *   readers  one writes, n threads read                                                 threads grow
 *   steps    two write and read, with as many steps of their own before each as the argument says */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define LOAD(x)     atomic_load_explicit(&(x), memory_order_relaxed)

static atomic_int x, y, z;
static long steps;

#ifdef COUNTER
static void one(void)   { for (int i = 0; i < N; i++) { int r = LOAD(x); STORE(x, r + 1); } }
static void other(void) { for (int i = 0; i < N; i++) { int r = LOAD(x); STORE(x, r - 1); } }
enum { THREADS = 2 };
#elif defined PSOBUG
static _Thread_local volatile int odd;
static void one(void)   { for (int i = 0; i < N; i++) { STORE(z, 0); STORE(x, 0); STORE(y, 0); STORE(x, 2); STORE(y, 3); STORE(z, 1); } }
static void other(void)
{
	for (int i = 0; i < N; i++)
		if (LOAD(z) == 1) {
			int a = LOAD(x), b = LOAD(y);
			odd = a + 1 != b;
		}
}
enum { THREADS = 2 };
#elif defined SAMEW
static void one(void)   { LOAD(x); }
static void other(void) { STORE(x, 1); }
enum { THREADS = N + 1 };
#elif defined READERS
static void one(void)   { STORE(x, 1); }
static void other(void) { LOAD(x); }
enum { THREADS = N + 1 };
#elif defined STEPS
static _Thread_local unsigned number;
static void work(void)
{
	unsigned n = number;
	for (long i = 0; i < steps; i++)
		n = (n ^ (unsigned)i) * 1664525u + 1013904223u;
	number = n;
}
static void one(void)   { work(); STORE(x, 1); work(); LOAD(y); LOAD(z); }
static void other(void) { work(); STORE(y, 1); work(); LOAD(x); STORE(z, 1); }
enum { THREADS = 2 };
#endif

static void *first(void *unused)  { one(); return unused; }
static void *second(void *unused) { other(); return unused; }

int main(int argc, char **argv)
{
	pthread_t t[THREADS];
	steps = argc > 1 ? atol(argv[1]) / 2 : 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, i ? second : first, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
#ifdef COUNTER
	LOAD(x);
#endif
	return 0;
}
