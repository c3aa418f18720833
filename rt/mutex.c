/* rt/mutex.c -- pthread mutexes and C11 mtx_t (in glibc the same memory).
 *   (1) LOCK is written after acquiring, its version taken while held; so is each re-lock of a recursive mutex;
 *   (2) UNLOCK is written, and its version taken, before the real unlock.  An unlock that libc is bound to refuse
 *       (errorcheck, recursive or robust mutex that somebody else holds) is found out first and written afterwards, with
 *       its errno and no version.  Should libc refuse another one (only a priority-inheriting normal mutex can), an UNLOCK
 *       with the errno follows and takes the first one back;
 *   (3) EOWNERDEAD counts as acquired: LOCK with that result;
 *   (4) an attempt that did not get the lock, for whatever reason, is a TRYFAIL with its errno;
 *   (5) BLOCK is written by who goes to sleep for it, not by who finds it taken and has it a moment later.
 * pthread_mutex_consistent changes no order and is left alone. */
#include <linux/futex.h>

#include "rt/buffer.h"
#include "rt/steer.h"
#include "rt/sync.h"
#include "rt/sys.h"

#define KIND_TYPE    3                      /* of __kind: 0 normal, 1 recursive, 2 errorcheck, 3 adaptive */
#define KIND_ROBUST  16
#define KIND_INHERIT 32
#define KIND_PROTECT 64
#define CEILING_BITS 0xfff80000u             /* of the lock word of a mutex with a priority ceiling */

static uint64_t mutex_arg(const pthread_mutex_t *m)
{
	static const uint8_t types[4] = { LOCK_MUTEX, LOCK_RECURSIVE, LOCK_ERRORCHECK, LOCK_MUTEX };
	return (uint64_t)types[m->__data.__kind & KIND_TYPE] << 8 | LOCK_FOR_WRITING;
}

/* The owner of a robust mutex stands in the lock word; the other field may say "inconsistent" instead. */
static bool is_held_by(const pthread_mutex_t *m, int32_t tid)
{
	if (m->__data.__kind & KIND_ROBUST)
		return (__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED) & FUTEX_TID_MASK) == tid;
	return __atomic_load_n(&m->__data.__owner, __ATOMIC_RELAXED) == tid;
}

bool mutex_is_mine(const pthread_mutex_t *m)
{
	return is_held_by(m, raddle_tls.area->tid);
}

bool mutex_checks_owner(const pthread_mutex_t *m)
{
	int type = m->__data.__kind & KIND_TYPE;
	return type == 1 || type == 2 || (m->__data.__kind & KIND_ROBUST);
}

static bool got_it(int result)
{
	return result == 0 || result == EOWNERDEAD;
}

/* The kernel gave a mutex whose owner had died to the thread it knows; the strand that asked may be another. */
static void name_owner(pthread_mutex_t *m)
{
	uint32_t word = (uint32_t)__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED);
	if (rt_steered() && (word & FUTEX_TID_MASK) != (uint32_t)own_strand->tid)
		__atomic_store_n(&m->__data.__lock, (int)((word & ~FUTEX_TID_MASK) | (uint32_t)own_strand->tid), __ATOMIC_RELAXED);
}

static inline void note_taken(pthread_mutex_t *m, uint64_t arg, int result, uint64_t pc)
{
	if (rt_unlikely(result == EOWNERDEAD)) {
		name_owner(m);
		rt_held_lost(AS_OBJECT(m));
	}
	rt_event_next(EV_LOCK, AS_OBJECT(m), arg, AS_OBJECT(m), result, pc);
	rt_held_push(AS_OBJECT(m));
}

static inline int note_answer(pthread_mutex_t *m, uint64_t arg, int result, uint64_t pc)
{
	if (got_it(result))
		note_taken(m, arg, result, pc);
	else
		rt_event(EV_TRYFAIL, AS_OBJECT(m), arg & ~(uint64_t)(LOCK_TRIED | LOCK_TIMED), 0, result, pc);
	return result;
}

/* Takes it if that needs no waiting.  Two kinds are looked at and not tried.  Robust: glibc's trylock of one that can no longer
 * be recovered says so but leaves it locked.  With a ceiling: a try that is refused leaves the thread's priority accounted
 * for, and the next one succeeds. */
static int try_first(pthread_mutex_t *m)
{
	if (rt_likely(!(m->__data.__kind & (KIND_ROBUST | KIND_PROTECT))))
		return REAL(pthread_mutex_trylock)(m);
	uint32_t word = (uint32_t)__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED);
	if (m->__data.__kind & KIND_PROTECT)
		return word & ~CEILING_BITS ? EBUSY : EAGAIN;
	return (word & FUTEX_TID_MASK) && !(word & FUTEX_OWNER_DIED) ? EBUSY : EAGAIN;
}

/* The try said EBUSY.  Will the real function wait?  Not if it counts up or must say EDEADLK. */
static bool will_block(const pthread_mutex_t *m)
{
	int type = m->__data.__kind & KIND_TYPE;
	return !((type == 1 || type == 2) && mutex_is_mine(m));
}

/* Records of a section are written while its lock is held: sections are a few of them longer than without raddle, and threads would go to
 * sleep that would not have met.  So who finds an ordinary mutex taken looks again for about as long before it asks the kernel. */
#define LOOKS 100u

static int try_again(pthread_mutex_t *m, int result)
{
	if (result != EBUSY || rt_steered() || !will_block(m) || (m->__data.__kind & (KIND_ROBUST | KIND_PROTECT | KIND_INHERIT)))
		return result;
	for (unsigned i = 0; i < LOOKS && result == EBUSY; i++) {
		__builtin_ia32_pause();
		if (!__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED))
			result = REAL(pthread_mutex_trylock)(m);
	}
	return result;
}

bool mutex_would_block(const pthread_mutex_t *m, int32_t tid)
{
	int type = m->__data.__kind & KIND_TYPE;
	uint32_t word = (uint32_t)__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED);
	if (m->__data.__kind & KIND_PROTECT)
		word &= ~CEILING_BITS;
	if (word == 0 || ((type == 1 || type == 2) && is_held_by(m, tid)))
		return false;
	if (m->__data.__kind & KIND_ROBUST)
		return (word & FUTEX_TID_MASK) && !(word & FUTEX_OWNER_DIED) && !steer_tid_has_ended((int32_t)(word & FUTEX_TID_MASK));
	return true;
}

/* The strand that held this robust mutex has ended; the kernel marks the mutex when the thread under it has ended too. */
static void settle_owner(const pthread_mutex_t *m)
{
	if (!rt_steered() || !(m->__data.__kind & KIND_ROBUST))
		return;
	for (;;) {
		uint32_t word = (uint32_t)__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED);
		if (!(word & FUTEX_TID_MASK) || !steer_tid_has_ended((int32_t)(word & FUTEX_TID_MASK)))
			return;
		sys3(SYS_sched_yield, 0, 0, 0);
	}
}

/* Would locking it go through at once (if only to be refused)? */
static uint32_t ways_to_lock(const struct strand *s)
{
	const pthread_mutex_t *m = s->ask.first;
	if (!mutex_would_block(m, s->tid))
		return WAY_GO;
	return s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0;
}

/* ---- what has no locked instruction in glibc 2.36 and 2.41 (docs/memory-models.md): stores stay in the buffer ---- */

static bool is_recursive(const pthread_mutex_t *m) { return (m->__data.__kind & KIND_TYPE) == 1; }
static bool is_errorcheck(const pthread_mutex_t *m) { return (m->__data.__kind & KIND_TYPE) == 2; }

/* Counts up, or says EDEADLK. */
static bool lock_keeps(const pthread_mutex_t *m)
{
	return rt_steered() && (is_recursive(m) || is_errorcheck(m)) && mutex_is_mine(m);
}

/* Counts down, or says EPERM. */
static bool unlock_keeps(const pthread_mutex_t *m)
{
	if (!rt_steered() || !mutex_checks_owner(m))
		return false;
	return !mutex_is_mine(m) || (is_recursive(m) && m->__data.__count > 1);
}

static enum point_answer stop_to_lock(const pthread_mutex_t *m, uint64_t deadline, uint64_t pc)
{
	struct steer_ask ask = { .kind = EV_LOCK, .object = AS_OBJECT(m), .place = pc, .ways = ways_to_lock, .first = m,
		.deadline = deadline, .keeps = lock_keeps(m) };
	enum point_answer answer = steer_stop(&ask);
	settle_owner(m);
	return answer;
}

static inline enum point_answer lock_point(const pthread_mutex_t *m, uint64_t deadline, uint64_t pc)
{
	return rt_steered() ? stop_to_lock(m, deadline, pc) : ANSWER_GO;
}

/* A deadline libc would refuse is no deadline: the real function is to say so. */
static enum point_answer timed_point(const pthread_mutex_t *m, clockid_t clock, const struct timespec *until, uint64_t pc)
{
	if (!rt_steered())
		return ANSWER_GO;
	if (!deadline_is_valid(clock, until)) {         /* a clock libc does not have is all it looks at */
		steer_point_keeps(EV_LOCK, AS_OBJECT(m), pc, lock_keeps(m) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC));
		return ANSWER_GO;
	}
	return lock_point(m, steer_deadline(clock, until), pc);
}

static void before_waiting(pthread_mutex_t *m, int tried, uint64_t pc)
{
	if (tried == EBUSY && will_block(m))
		rt_wait_begin(EV_LOCK, AS_OBJECT(m), pc);
}

INTERPOSE(int, pthread_mutex_lock, (pthread_mutex_t *m))
{
	if (!rt_on())
		return REAL(pthread_mutex_lock)(m);
	lock_point(m, 0, RT_PC);
	int result = try_first(m);
	if (rt_unlikely(!got_it(result)))
		result = try_again(m, result);
	if (rt_unlikely(!got_it(result))) {
		before_waiting(m, result, RT_PC);
		result = REAL(pthread_mutex_lock)(m);
		rt_wait_end();
	}
	return note_answer(m, mutex_arg(m), result, RT_PC);
}

INTERPOSE(int, pthread_mutex_trylock, (pthread_mutex_t *m))
{
	if (!rt_on())
		return REAL(pthread_mutex_trylock)(m);
	bool again = lock_keeps(m);
	steer_point_keeps(EV_LOCK, AS_OBJECT(m), RT_PC, true);
	settle_owner(m);
	int result = REAL(pthread_mutex_trylock)(m);
	if (got_it(result) && !again)           /* else it counted, or only looked */
		buffer_drain();
	note_answer(m, mutex_arg(m) | LOCK_TRIED, result, RT_PC);
	steer_tried(!got_it(result));
	return result;
}

INTERPOSE(int, pthread_mutex_timedlock, (pthread_mutex_t *restrict m, const struct timespec *restrict until))
{
	if (!rt_on())
		return REAL(pthread_mutex_timedlock)(m, until);
	bool late = timed_point(m, CLOCK_REALTIME, until, RT_PC) == ANSWER_TIMEOUT;
	int result = late ? ETIMEDOUT : try_first(m);
	if (!late && !got_it(result)) {
		before_waiting(m, result, RT_PC);
		result = UNTIL(REAL(pthread_mutex_timedlock)(m, until));
		rt_wait_end();
	}
	return note_answer(m, mutex_arg(m) | LOCK_TRIED | LOCK_TIMED, result, RT_PC);
}

INTERPOSE(int, pthread_mutex_clocklock, (pthread_mutex_t *restrict m, clockid_t clock, const struct timespec *restrict until))
{
	if (!rt_on())
		return REAL(pthread_mutex_clocklock)(m, clock, until);
	bool late = timed_point(m, clock, until, RT_PC) == ANSWER_TIMEOUT;
	int result = late ? ETIMEDOUT : deadline_is_valid(clock, until) ? try_first(m) : EINVAL;
	if (!late && !got_it(result)) {
		before_waiting(m, result, RT_PC);
		result = UNTIL(REAL(pthread_mutex_clocklock)(m, clock, until));
		rt_wait_end();
	}
	return note_answer(m, mutex_arg(m) | LOCK_TRIED | LOCK_TIMED, result, RT_PC);
}

INTERPOSE(int, pthread_mutex_unlock, (pthread_mutex_t *m))
{
	if (!rt_on())
		return REAL(pthread_mutex_unlock)(m);
	steer_point_keeps(EV_UNLOCK, AS_OBJECT(m), RT_PC, unlock_keeps(m));
	uint64_t arg = mutex_arg(m);
	if (rt_likely(!mutex_checks_owner(m) || mutex_is_mine(m))) {
		rt_held_pop(AS_OBJECT(m));
		rt_event_next(EV_UNLOCK, AS_OBJECT(m), arg, AS_OBJECT(m), 0, RT_PC);
	}
	int result = REAL(pthread_mutex_unlock)(m);
	if (rt_unlikely(result))
		rt_event(EV_UNLOCK, AS_OBJECT(m), arg, 0, result, RT_PC);
	return result;
}

static void note_life(enum event_kind kind, pthread_mutex_t *m, uint64_t arg, int result, uint64_t pc)
{
	rt_event(kind, AS_OBJECT(m), arg, result ? 0 : rt_version(AS_OBJECT(m)), result, pc);
}

/* Whoever had the one that was there has it no more. */
static void held_anew(const pthread_mutex_t *m)
{
	if (rt_steered()) {
		rt_held_lost(AS_OBJECT(m));
		rt_held_pop(AS_OBJECT(m));
	}
}

INTERPOSE(int, pthread_mutex_init, (pthread_mutex_t *m, const pthread_mutexattr_t *attr))
{
	steer_point_keeps(EV_LOCKINIT, AS_OBJECT(m), RT_PC, true);
	int result = REAL(pthread_mutex_init)(m, attr);
	if (rt_on())
		note_life(EV_LOCKINIT, m, result ? LOCK_MUTEX << 8 : mutex_arg(m), result, RT_PC);
	if (rt_on() && !result)
		held_anew(m);
	return result;
}

INTERPOSE(int, pthread_mutex_destroy, (pthread_mutex_t *m))
{
	if (!rt_on())
		return REAL(pthread_mutex_destroy)(m);
	steer_point_keeps(EV_LOCKDEAD, AS_OBJECT(m), RT_PC, true);
	uint64_t arg = mutex_arg(m);                /* a destroyed mutex has no kind any more */
	int result = REAL(pthread_mutex_destroy)(m);
	note_life(EV_LOCKDEAD, m, arg, result, RT_PC);
	return result;
}

/* ---- C11 ---- */

static pthread_mutex_t *mutex_of(mtx_t *m)
{
	return (pthread_mutex_t *)m;
}

static uint64_t mtx_arg(mtx_t *m)
{
	bool recursive = (mutex_of(m)->__data.__kind & KIND_TYPE) == 1;
	return (uint64_t)(recursive ? LOCK_RECURSIVE : LOCK_C11) << 8 | LOCK_FOR_WRITING;
}

INTERPOSE(int, mtx_lock, (mtx_t *m))
{
	if (!rt_on())
		return REAL(mtx_lock)(m);
	lock_point(mutex_of(m), 0, RT_PC);
	int answer = REAL(mtx_trylock)(m);
	if (answer == thrd_busy && got_it(try_again(mutex_of(m), EBUSY)))
		answer = thrd_success;
	if (answer != thrd_success) {
		before_waiting(mutex_of(m), errno_of_thrd(answer), RT_PC);
		answer = REAL(mtx_lock)(m);
		rt_wait_end();
	}
	note_answer(mutex_of(m), mtx_arg(m), errno_of_thrd(answer), RT_PC);
	return answer;
}

INTERPOSE(int, mtx_trylock, (mtx_t *m))
{
	if (!rt_on())
		return REAL(mtx_trylock)(m);
	bool again = lock_keeps(mutex_of(m));
	steer_point_keeps(EV_LOCK, AS_OBJECT(m), RT_PC, true);
	int answer = REAL(mtx_trylock)(m);
	if (answer == thrd_success && !again)
		buffer_drain();
	note_answer(mutex_of(m), mtx_arg(m) | LOCK_TRIED, errno_of_thrd(answer), RT_PC);
	steer_tried(answer != thrd_success);
	return answer;
}

INTERPOSE(int, mtx_timedlock, (mtx_t *restrict m, const struct timespec *restrict until))
{
	if (!rt_on())
		return REAL(mtx_timedlock)(m, until);
	bool late = timed_point(mutex_of(m), CLOCK_REALTIME, until, RT_PC) == ANSWER_TIMEOUT;
	int answer = late ? thrd_timedout : REAL(mtx_trylock)(m);
	if (!late && answer != thrd_success) {
		before_waiting(mutex_of(m), errno_of_thrd(answer), RT_PC);
		answer = UNTIL(REAL(mtx_timedlock)(m, until));
		rt_wait_end();
	}
	note_answer(mutex_of(m), mtx_arg(m) | LOCK_TRIED | LOCK_TIMED, errno_of_thrd(answer), RT_PC);
	return answer;
}

INTERPOSE(int, mtx_unlock, (mtx_t *m))
{
	if (!rt_on())
		return REAL(mtx_unlock)(m);
	steer_point_keeps(EV_UNLOCK, AS_OBJECT(m), RT_PC, unlock_keeps(mutex_of(m)));
	uint64_t arg = mtx_arg(m);
	if (!mutex_checks_owner(mutex_of(m)) || mutex_is_mine(mutex_of(m))) {
		rt_held_pop(AS_OBJECT(m));
		rt_event_next(EV_UNLOCK, AS_OBJECT(m), arg, AS_OBJECT(m), 0, RT_PC);
	}
	int answer = REAL(mtx_unlock)(m);
	if (answer != thrd_success)
		rt_event(EV_UNLOCK, AS_OBJECT(m), arg, 0, errno_of_thrd(answer), RT_PC);
	return answer;
}

INTERPOSE(int, mtx_init, (mtx_t *m, int type))
{
	steer_point_keeps(EV_LOCKINIT, AS_OBJECT(m), RT_PC, true);
	int answer = REAL(mtx_init)(m, type);
	if (rt_on())
		note_life(EV_LOCKINIT, mutex_of(m), answer == thrd_success ? mtx_arg(m) : LOCK_C11 << 8, errno_of_thrd(answer), RT_PC);
	return answer;
}

INTERPOSE(void, mtx_destroy, (mtx_t *m))
{
	if (!rt_on()) {
		REAL(mtx_destroy)(m);
		return;
	}
	steer_point_keeps(EV_LOCKDEAD, AS_OBJECT(m), RT_PC, true);
	uint64_t arg = mtx_arg(m);
	REAL(mtx_destroy)(m);
	note_life(EV_LOCKDEAD, mutex_of(m), arg, 0, RT_PC);
}
