/* tests/suites/tsan.h -- what ThreadSanitizer's tests ask of their runtime, for a program built with raddle.
 * Included before each test.  Their "invisible barrier" orders execution and no memory:
 *   SUITE_SLEEPS   a short sleep: any order stays possible, which is what `predict` reasons about;
 *   otherwise      relaxed atomics: the order the test wants, without a happens-before edge, for `run --races`. */
#ifndef RADDLE_TESTS_SUITES_TSAN_H
#define RADDLE_TESTS_SUITES_TSAN_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#define SUITE_DEFINED inline
#else
#define SUITE_DEFINED static
#endif

/* The low half counts arrivals, the high half is how many meet. */
SUITE_DEFINED void suite_barrier_init(unsigned long long *barrier, unsigned count)
{
	__atomic_store_n(barrier, (unsigned long long)count << 32, __ATOMIC_RELAXED);
}

SUITE_DEFINED void suite_barrier_wait(unsigned long long *barrier)
{
#ifdef SUITE_SLEEPS
	(void)barrier;
	usleep(1000);
#else
	unsigned long long had = __atomic_fetch_add(barrier, 1, __ATOMIC_RELAXED);
	unsigned count = (unsigned)(had >> 32), round = (unsigned)had / count;
	while ((unsigned)__atomic_load_n(barrier, __ATOMIC_RELAXED) / count == round)
		;
#endif
}
#ifdef __cplusplus
}
#endif
#define __tsan_testonly_barrier_init suite_barrier_init
#define __tsan_testonly_barrier_wait suite_barrier_wait
#endif
