/* rt/rwlock.c -- read-write locks.
 *   (1) a read lock takes its version while held, so it lies between the write unlock before it and the write lock after
 *       it; read locks among themselves have an order too, which means nothing;
 *   (2) an unlock says in which mode the lock was held: glibc keeps the thread id of the writer, and only of the writer. */
#include "rt/sync.h"

#define ARG(mode) ((uint64_t)LOCK_RWLOCK << 8 | (mode))

static int note_answer(pthread_rwlock_t *l, enum lock_mode mode, int result, uint64_t pc)
{
	if (result == 0) {
		rt_event(EV_LOCK, AS_OBJECT(l), ARG(mode), rt_version(AS_OBJECT(l)), 0, pc);
		rt_held_push(AS_OBJECT(l));
	} else
		rt_event(EV_TRYFAIL, AS_OBJECT(l), ARG(mode), 0, result, pc);
	return result;
}

static bool write_held_by_me(const pthread_rwlock_t *l)
{
	return __atomic_load_n(&l->__data.__cur_writer, __ATOMIC_RELAXED) == raddle_tls.area->tid;
}

/* A thread that holds it for writing is told EDEADLK, it does not wait. */
static void before_waiting(pthread_rwlock_t *l, int tried, uint64_t pc)
{
	if (tried == EBUSY && !write_held_by_me(l))
		rt_wait_begin(EV_LOCK, AS_OBJECT(l), pc);
}

#define RWLOCK_LOCK(name, try, mode) \
	INTERPOSE(int, name, (pthread_rwlock_t *l)) \
	{ \
		if (!rt_on()) \
			return REAL(name)(l); \
		int result = REAL(try)(l); \
		if (result != 0) { \
			before_waiting(l, result, RT_PC); \
			result = REAL(name)(l); \
			rt_wait_end(); \
		} \
		return note_answer(l, mode, result, RT_PC); \
	}

#define RWLOCK_TRY(name, mode) \
	INTERPOSE(int, name, (pthread_rwlock_t *l)) \
	{ \
		if (!rt_on()) \
			return REAL(name)(l); \
		return note_answer(l, mode, REAL(name)(l), RT_PC); \
	}

#define RWLOCK_TIMED(name, try, mode) \
	INTERPOSE(int, name, (pthread_rwlock_t *restrict l, const struct timespec *restrict until)) \
	{ \
		if (!rt_on()) \
			return REAL(name)(l, until); \
		int result = deadline_is_valid(CLOCK_REALTIME, until) ? REAL(try)(l) : EINVAL; \
		if (result != 0) { \
			before_waiting(l, result, RT_PC); \
			result = REAL(name)(l, until); \
			rt_wait_end(); \
		} \
		return note_answer(l, mode, result, RT_PC); \
	}

#define RWLOCK_CLOCK(name, try, mode) \
	INTERPOSE(int, name, (pthread_rwlock_t *restrict l, clockid_t clock, const struct timespec *restrict until)) \
	{ \
		if (!rt_on()) \
			return REAL(name)(l, clock, until); \
		int result = deadline_is_valid(clock, until) ? REAL(try)(l) : EINVAL; \
		if (result != 0) { \
			before_waiting(l, result, RT_PC); \
			result = REAL(name)(l, clock, until); \
			rt_wait_end(); \
		} \
		return note_answer(l, mode, result, RT_PC); \
	}

RWLOCK_LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, LOCK_FOR_READING)
RWLOCK_LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, LOCK_FOR_WRITING)
RWLOCK_TRY(pthread_rwlock_tryrdlock, LOCK_FOR_READING)
RWLOCK_TRY(pthread_rwlock_trywrlock, LOCK_FOR_WRITING)
RWLOCK_TIMED(pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock, LOCK_FOR_READING)
RWLOCK_TIMED(pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock, LOCK_FOR_WRITING)
RWLOCK_CLOCK(pthread_rwlock_clockrdlock, pthread_rwlock_tryrdlock, LOCK_FOR_READING)
RWLOCK_CLOCK(pthread_rwlock_clockwrlock, pthread_rwlock_trywrlock, LOCK_FOR_WRITING)

INTERPOSE(int, pthread_rwlock_unlock, (pthread_rwlock_t *l))
{
	if (!rt_on())
		return REAL(pthread_rwlock_unlock)(l);
	uint64_t arg = ARG(write_held_by_me(l) ? LOCK_FOR_WRITING : LOCK_FOR_READING);
	rt_held_pop(AS_OBJECT(l));
	rt_event(EV_UNLOCK, AS_OBJECT(l), arg, rt_version(AS_OBJECT(l)), 0, RT_PC);
	int result = REAL(pthread_rwlock_unlock)(l);
	if (rt_unlikely(result))
		rt_event(EV_UNLOCK, AS_OBJECT(l), arg, 0, result, RT_PC);
	return result;
}

static int note_life(enum event_kind kind, pthread_rwlock_t *l, int result, uint64_t pc)
{
	rt_event(kind, AS_OBJECT(l), ARG(LOCK_FOR_WRITING), result ? 0 : rt_version(AS_OBJECT(l)), result, pc);
	return result;
}

INTERPOSE(int, pthread_rwlock_init, (pthread_rwlock_t *restrict l, const pthread_rwlockattr_t *restrict attr))
{
	if (!rt_on())
		return REAL(pthread_rwlock_init)(l, attr);
	return note_life(EV_LOCKINIT, l, REAL(pthread_rwlock_init)(l, attr), RT_PC);
}

INTERPOSE(int, pthread_rwlock_destroy, (pthread_rwlock_t *l))
{
	if (!rt_on())
		return REAL(pthread_rwlock_destroy)(l);
	return note_life(EV_LOCKDEAD, l, REAL(pthread_rwlock_destroy)(l), RT_PC);
}
