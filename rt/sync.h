/* rt/sync.h -- what the files of the thread API (create, mutex, rwlock, spin, cond, barrier, sem, once, guard, futex) share.
 *
 * Shape of an interposed operation that may block: try first; only when that fails because the object is taken, say that
 * this thread is about to block (rt_wait_begin) and call the real function, whose answer is the one the program gets.
 * Every other refusal of the try is asked again of the real function too, so error returns are always libc's own. */
#ifndef RADDLE_RT_SYNC_H
#define RADDLE_RT_SYNC_H

#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "rt/rt.h"

/* REAL() of a name that has several versions in libc. */
#ifdef RADDLE_STATIC
#define REAL_AT(name, version) REAL(name)
#else
#define REAL_AT(name, version) ((__typeof__(&name))({ static void *real_; void *p_ = __atomic_load_n(&real_, __ATOMIC_RELAXED); \
	if (rt_unlikely(!p_)) { p_ = rt_real(#name, version); __atomic_store_n(&real_, p_, __ATOMIC_RELAXED); } p_; }))
#endif

#define AS_OBJECT(pointer) ((uint64_t)(uintptr_t)(pointer))

/* The call is a cancellation point: if the thread is cancelled inside, it must not look as if it still waited. */
#define BLOCKING(kind, object, pc, call) ({ \
	__typeof__(call) answer_; \
	rt_wait_begin(kind, object, pc); \
	pthread_cleanup_push(rt_wait_undo, NULL); \
	answer_ = (call); \
	pthread_cleanup_pop(0); \
	rt_wait_end(); \
	answer_; })

/* A call that waits no longer than it is told to. */
#define UNTIL(call) (rt_wait_ends(), (call))

static inline void rt_wait_undo(void *unused)
{
	(void)unused;
	rt_wait_end();
}

/* Would libc accept this deadline?  If not, it may say so before it looks at the object: then do not try first. */
static inline bool deadline_is_valid(clockid_t clock, const struct timespec *until)
{
	return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && until->tv_nsec >= 0 && until->tv_nsec < 1000000000;
}

/* Results of C11 functions as the errno that records hold. */
static inline int errno_of_thrd(int answer)
{
	switch (answer) {
	case thrd_success:  return 0;
	case thrd_busy:     return EBUSY;
	case thrd_nomem:    return ENOMEM;
	case thrd_timedout: return ETIMEDOUT;
	default:            return EINVAL;
	}
}

/* ---- threads by their pthread_t (create.c); 0 and NULL: not one of ours ---- */
uint32_t thread_uid(pthread_t thread);
struct strand *thread_strand(pthread_t thread);

/* ---- mutexes, for those who lock and unlock them (mutex.c) ---- */
bool     mutex_is_mine(const pthread_mutex_t *m);       /* held by the calling thread, as libc sees it */
bool     mutex_would_block(const pthread_mutex_t *m, int32_t tid);   /* the thread with this tid, if it locked it now */
bool     mutex_checks_owner(const pthread_mutex_t *m);  /* unlocking by another than the owner is refused */

#endif
