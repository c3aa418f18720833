/* rt/sem.c -- POSIX semaphores.
 *   (1) SPOST is written before the post, SWAIT after the semaphore was taken: the post that let a wait through always has
 *       the smaller version.  A post that fails (too many) is followed by a SPOST with its errno, which takes it back;
 *   (2) a wait that did not take it (would block, timed out, interrupted) is a SWAIT with its errno and no version;
 *   (3) waiting calls stay cancellation points even when they would not block, as in libc. */
#include <limits.h>
#include <semaphore.h>

#include "rt/buffer.h"
#include "rt/effect.h"
#include "rt/steer.h"
#include "rt/sync.h"

#define ARG ((uint64_t)LOCK_SEM << 8)

/* Records what a wait, or a try, returned; errno stays. */
static int note_taken(sem_t *s, uint64_t tried, int result, uint64_t pc)
{
	if (result == 0)
		rt_event(EV_SWAIT, AS_OBJECT(s), tried, rt_version(AS_OBJECT(s)), 0, pc);
	else
		rt_event(EV_SWAIT, AS_OBJECT(s), 0, 0, errno, pc);
	return result;
}

static int note_wait(sem_t *s, int result, uint64_t pc) { return note_taken(s, 0, result, pc); }

static int value_of(const sem_t *s)
{
	int value = 0;
	sem_getvalue((sem_t *)s, &value);
	return value;
}

static uint32_t ways_to_take(const struct strand *s)
{
	if (value_of(s->ask.first) > 0)
		return WAY_GO;
	return s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0;
}

/* In front of a wait.  A deadline libc would refuse is none. */
static enum point_answer wait_point(const sem_t *s, clockid_t clock, const struct timespec *until, uint64_t pc)
{
	struct steer_ask ask = { .kind = EV_SWAIT, .object = AS_OBJECT(s), .place = pc, .first = s,
		.cancels = CANCEL_AT_ONCE };
	if (!rt_steered())
		return ANSWER_GO;
	if (!until || deadline_is_valid(clock, until)) {
		ask.ways = ways_to_take;
		ask.interrupts = until ? INTERRUPTED_ALWAYS : INTERRUPTED_UNLESS_RESTARTED;
		ask.deadline = steer_deadline(clock, until);
	} else
		ask.keeps = true;               /* EINVAL is said before anything else */
	return steer_stop(&ask);
}

/* A wait that did not get it, in time or at all. */
static int note_ended(sem_t *s, enum point_answer answer, uint64_t pc)
{
	errno = answer == ANSWER_TIMEOUT ? ETIMEDOUT : EINTR;
	return note_wait(s, -1, pc);
}

/* Takes it if that needs no waiting; errno stays. */
static bool try_first(sem_t *s)
{
	int saved = errno;
	REAL(pthread_testcancel)();
	bool taken = REAL(sem_trywait)(s) == 0;
	errno = saved;
	return taken;
}

INTERPOSE(int, sem_wait, (sem_t *s))
{
	if (!rt_on())
		return REAL(sem_wait)(s);
	enum point_answer answer = wait_point(s, 0, NULL, RT_PC);
	if (answer)
		return note_ended(s, answer, RT_PC);
	int result = try_first(s) ? 0 : BLOCKING(EV_SWAIT, AS_OBJECT(s), RT_PC, REAL(sem_wait)(s));
	return note_wait(s, result, RT_PC);
}

INTERPOSE(int, sem_trywait, (sem_t *s))
{
	if (!rt_on())
		return REAL(sem_trywait)(s);
	steer_point_keeps(EV_SWAIT, AS_OBJECT(s), RT_PC, true);
	if (rt_steered() && value_of(s) > 0)    /* else it only looks */
		buffer_drain();
	return steer_tried(note_taken(s, LOCK_TRIED, REAL(sem_trywait)(s), RT_PC));
}

INTERPOSE(int, sem_timedwait, (sem_t *restrict s, const struct timespec *restrict until))
{
	if (!rt_on())
		return REAL(sem_timedwait)(s, until);
	enum point_answer answer = wait_point(s, CLOCK_REALTIME, until, RT_PC);
	if (answer)
		return note_ended(s, answer, RT_PC);
	int result;
	if (!deadline_is_valid(CLOCK_REALTIME, until))
		result = REAL(sem_timedwait)(s, until);
	else
		result = try_first(s) ? 0 : BLOCKING(EV_SWAIT, AS_OBJECT(s), RT_PC, UNTIL(REAL(sem_timedwait)(s, until)));
	return note_taken(s, LOCK_TRIED | LOCK_TIMED, result, RT_PC);
}

INTERPOSE(int, sem_clockwait, (sem_t *restrict s, clockid_t clock, const struct timespec *restrict until))
{
	if (!rt_on())
		return REAL(sem_clockwait)(s, clock, until);
	enum point_answer answer = wait_point(s, clock, until, RT_PC);
	if (answer)
		return note_ended(s, answer, RT_PC);
	int result;
	if (!deadline_is_valid(clock, until))
		result = REAL(sem_clockwait)(s, clock, until);
	else
		result = try_first(s) ? 0 : BLOCKING(EV_SWAIT, AS_OBJECT(s), RT_PC, UNTIL(REAL(sem_clockwait)(s, clock, until)));
	return note_taken(s, LOCK_TRIED | LOCK_TIMED, result, RT_PC);
}

INTERPOSE(int, sem_post, (sem_t *s))
{
	if (!rt_on())
		return REAL(sem_post)(s);
	steer_point_keeps(EV_SPOST, AS_OBJECT(s), RT_PC, true);
	if (rt_steered() && value_of(s) < SEM_VALUE_MAX)        /* else it only looks */
		buffer_drain();
	rt_event(EV_SPOST, AS_OBJECT(s), 0, rt_version(AS_OBJECT(s)), 0, RT_PC);
	int result = REAL(sem_post)(s);
	if (rt_unlikely(result))
		rt_event(EV_SPOST, AS_OBJECT(s), 0, 0, errno, RT_PC);
	return result;
}

static int note_life(enum event_kind kind, sem_t *s, int result, uint64_t pc)
{
	rt_event(kind, AS_OBJECT(s), ARG, result ? 0 : rt_version(AS_OBJECT(s)), result ? errno : 0, pc);
	return result;
}

INTERPOSE(int, sem_init, (sem_t *s, int shared, unsigned value))
{
	if (!rt_on())
		return REAL(sem_init)(s, shared, value);
	steer_point_keeps(EV_LOCKINIT, AS_OBJECT(s), RT_PC, true);
	int result = note_life(EV_LOCKINIT, s, REAL(sem_init)(s, shared, value), RT_PC);
	if (result == 0)
		effect_result(s, sizeof *s, RT_PC);              /* its first word is the value: readers take it from there */
	return result;
}

INTERPOSE(int, sem_destroy, (sem_t *s))
{
	if (!rt_on())
		return REAL(sem_destroy)(s);
	steer_point_keeps(EV_LOCKDEAD, AS_OBJECT(s), RT_PC, true);
	return note_life(EV_LOCKDEAD, s, REAL(sem_destroy)(s), RT_PC);
}
