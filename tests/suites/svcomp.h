/* tests/suites/svcomp.h -- bounds for SV-COMP tasks that are endless as they are written; included before each.
 *   SUITE_THREADS=N   pthread_create makes N threads; the thread that asks for one more ends there.
 *   SUITE_VALUE=N     __VERIFIER_nondet_int is N in main and 0 in every other thread: a task whose number of threads is
 *                     any number is run with N of them. */
#ifndef RADDLE_TESTS_SUITES_SVCOMP_H
#define RADDLE_TESTS_SUITES_SVCOMP_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>

#ifdef SUITE_THREADS
static int suite_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *argument)
{
	static int made;        /* tasks create their threads in main alone */
	if (made++ == SUITE_THREADS)
		pthread_exit(NULL);
	return pthread_create(thread, how, start, argument);
}
#define pthread_create suite_create
#endif

#ifdef SUITE_VALUE
static pthread_t suite_main;
__attribute__((constructor)) static void suite_begin(void) { suite_main = pthread_self(); }
static int suite_nondet_int(void) { return pthread_equal(pthread_self(), suite_main) ? SUITE_VALUE : 0; }
#define __VERIFIER_nondet_int suite_nondet_int
#endif
#endif
