/* rt/rwlock.c -- read-write locks.
 *   (1) a read lock takes its version while held, so it lies between the write unlock before it and the write lock after
 *       it; read locks among themselves have an order too, which means nothing;
 *   (2) an unlock says in which mode the lock was held: glibc keeps the thread id of the writer, and only of the writer.
 * In a steered run nobody sleeps in libc's lock, so it does not know of writers that wait.  That matters for one kind of lock:
 * where writers are preferred and readers do not recurse, a writer that waits holds new readers and other writers back.
 * There a writer's first try is an event of its own, and if it fails the writer waits visibly from then on. */
#include "rt/buffer.h"
#include "rt/steer.h"
#include "rt/sync.h"

#define ARG(mode) ((uint64_t)LOCK_RWLOCK << 8 | (mode))

static bool writers_go_first(const pthread_rwlock_t *l)
{
	return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static int note_answer(pthread_rwlock_t *l, uint64_t mode, int result, uint64_t pc)       /* mode: and LOCK_TRIED, LOCK_TIMED */
{
	mode |= writers_go_first(l) ? LOCK_WRITERS_FIRST : 0;
	if (result == 0) {
		rt_event(EV_LOCK, AS_OBJECT(l), ARG(mode), rt_version(AS_OBJECT(l)), 0, pc);
		rt_held_push(AS_OBJECT(l));
	} else
		rt_event(EV_TRYFAIL, AS_OBJECT(l), ARG(mode & ~(uint64_t)(LOCK_TRIED | LOCK_TIMED)), 0, result, pc);
	return result;
}

static bool write_held_by_me(const pthread_rwlock_t *l)
{
	return __atomic_load_n(&l->__data.__cur_writer, __ATOMIC_RELAXED) == raddle_tls.area->tid;
}

/* ---- steered ---- */

static bool a_writer_waits(const pthread_rwlock_t *l)
{
	return rt_steered() && writers_go_first(l) && steer_waiters(AS_OBJECT(l), WAITS_FOR_ANY);
}

static uint32_t readers(const pthread_rwlock_t *l)
{
	return __atomic_load_n(&l->__data.__readers, __ATOMIC_RELAXED) >> 3;       /* below: phase and waiting bits */
}

/* Would it be refused, if it is not taken at once?  EDEADLK, to the thread that writes. */
static bool is_the_writer(const pthread_rwlock_t *l, int32_t tid)
{
	return __atomic_load_n(&l->__data.__cur_writer, __ATOMIC_RELAXED) == tid;
}

static bool is_written(const pthread_rwlock_t *l)
{
	return __atomic_load_n(&l->__data.__cur_writer, __ATOMIC_RELAXED) != 0;
}

static uint32_t or_late(const struct strand *s, bool goes)
{
	return goes ? WAY_GO : s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0;
}

static uint32_t ways_to_read(const struct strand *s)
{
	const pthread_rwlock_t *l = s->ask.first;
	bool held_back = writers_go_first(l) && steer_waiters(AS_OBJECT(l), WAITS_FOR_ANY);
	return or_late(s, is_the_writer(l, s->tid) || (!is_written(l) && !held_back));
}

static uint32_t ways_to_write(const struct strand *s)
{
	const pthread_rwlock_t *l = s->ask.first;
	return or_late(s, is_the_writer(l, s->tid) || (!is_written(l) && readers(l) == 0));
}

/* A writer before whom others must stand back, once it waits. */
static enum point_answer visible_writer(const struct steer_ask *ask, const pthread_rwlock_t *l)
{
	struct steer_ask first = { .kind = EV_LOCK, .object = ask->object, .place = ask->place, .how = ask->how, .keeps = ask->keeps };
	steer_stop(&first);
	bool free = !is_written(l) && readers(l) == 0 && !steer_waiters(ask->object, WAITS_FOR_ANY);
	if (free || is_the_writer(l, own_strand->tid))
		return ANSWER_GO;
	steer_wait_at(ask->object, WAITS_FOR_ANY);
	enum point_answer answer = steer_stop(ask);
	steer_wait_over();
	return answer;
}

static uint8_t how_asked(const pthread_rwlock_t *l, enum lock_mode mode)
{
	return (mode == LOCK_FOR_READING ? POINT_SHARES : 0) | (writers_go_first(l) ? POINT_STANDS_BACK : 0);
}

/* In front of the real call; a deadline libc would refuse is none: it is to say so. */
static enum point_answer lock_point(const pthread_rwlock_t *l, enum lock_mode mode, clockid_t clock, const struct timespec *until,
	uint64_t pc)
{
	struct steer_ask ask = { .kind = EV_LOCK, .object = AS_OBJECT(l), .place = pc, .first = l };
	if (!rt_steered())
		return ANSWER_GO;
	ask.keeps = is_the_writer(l, own_strand->tid);          /* EDEADLK, as EINVAL below, is said before anything is written */
	if (until && !deadline_is_valid(clock, until)) {
		ask.keeps = true;
		return steer_stop(&ask);
	}
	ask.ways = mode == LOCK_FOR_READING ? ways_to_read : ways_to_write;
	ask.how = how_asked(l, mode);
	ask.deadline = steer_deadline(clock, until);
	return mode == LOCK_FOR_WRITING && writers_go_first(l) ? visible_writer(&ask, l) : steer_stop(&ask);
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
		lock_point(l, mode, 0, NULL, RT_PC); \
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
		struct steer_ask ask = { .kind = EV_LOCK, .object = AS_OBJECT(l), .place = RT_PC, .how = how_asked(l, mode), .keeps = true }; \
		steer_point_until(&ask); \
		int result = a_writer_waits(l) ? EBUSY : REAL(name)(l); \
		if (!result)                    /* else it only looked */ \
			buffer_drain(); \
		return steer_tried(note_answer(l, mode | LOCK_TRIED, result, RT_PC)); \
	}

#define RWLOCK_TIMED(name, try, mode) \
	INTERPOSE(int, name, (pthread_rwlock_t *restrict l, const struct timespec *restrict until)) \
	{ \
		if (!rt_on()) \
			return REAL(name)(l, until); \
		bool late = lock_point(l, mode, CLOCK_REALTIME, until, RT_PC) == ANSWER_TIMEOUT; \
		int result = late ? ETIMEDOUT : deadline_is_valid(CLOCK_REALTIME, until) ? REAL(try)(l) : EINVAL; \
		if (!late && result != 0) { \
			before_waiting(l, result, RT_PC); \
			result = UNTIL(REAL(name)(l, until)); \
			rt_wait_end(); \
		} \
		return note_answer(l, mode | LOCK_TRIED | LOCK_TIMED, result, RT_PC); \
	}

#define RWLOCK_CLOCK(name, try, mode) \
	INTERPOSE(int, name, (pthread_rwlock_t *restrict l, clockid_t clock, const struct timespec *restrict until)) \
	{ \
		if (!rt_on()) \
			return REAL(name)(l, clock, until); \
		bool late = lock_point(l, mode, clock, until, RT_PC) == ANSWER_TIMEOUT; \
		int result = late ? ETIMEDOUT : deadline_is_valid(clock, until) ? REAL(try)(l) : EINVAL; \
		if (!late && result != 0) { \
			before_waiting(l, result, RT_PC); \
			result = UNTIL(REAL(name)(l, clock, until)); \
			rt_wait_end(); \
		} \
		return note_answer(l, mode | LOCK_TRIED | LOCK_TIMED, result, RT_PC); \
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
	steer_point(EV_UNLOCK, AS_OBJECT(l), RT_PC);
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
	steer_point_keeps(EV_LOCKINIT, AS_OBJECT(l), RT_PC, true);
	return note_life(EV_LOCKINIT, l, REAL(pthread_rwlock_init)(l, attr), RT_PC);
}

INTERPOSE(int, pthread_rwlock_destroy, (pthread_rwlock_t *l))
{
	if (!rt_on())
		return REAL(pthread_rwlock_destroy)(l);
	steer_point_keeps(EV_LOCKDEAD, AS_OBJECT(l), RT_PC, true);
	return note_life(EV_LOCKDEAD, l, REAL(pthread_rwlock_destroy)(l), RT_PC);
}
