/* rt/cond.c -- condition variables, pthread and C11.
 *   (1) CWAIT gives the lock up: written before the real wait, with the lock's next version.  CWAKE has it again: written
 *       after, with the lock's next version.  No UNLOCK or LOCK stands beside them;
 *   (2) each CWAIT is followed by one CWAKE of the same thread, unless it never came back.  A wait that ran out of time
 *       wakes with ETIMEDOUT, a cancelled one with ECANCELED (written before the program's own cleanup handlers run);
 *   (3) a wait that libc refuses at once (lock not held, bad time) never gave up the lock: TRYFAIL of type LOCK_COND;
 *   (4) signal and broadcast are written before they happen, with the condition's next version.
 * In a steered run libc's own condition variable is not asked: nobody sleeps in it.  Who waits is known here, a signal picks one of
 * them (the scheduler's choice), and a wait ends when it was picked, or timed out, or for no reason, and the lock is free.
 * Time may also run out while somebody holds the lock: then the wait is over, no signal can pick it, and the lock is an event of its own.
 * glibc has two generations of these functions; programs of today use the one of version 2.3.2. */
#include "rt/buffer.h"
#include "rt/steer.h"
#include "rt/sync.h"

#define REAL_COND(name) REAL_AT(name, "GLIBC_2.3.2")
#define ARG ((uint64_t)LOCK_COND << 8)

struct wait {
	uint64_t cond, lock, pc;
	int timed;                      /* ETIMEDOUT: it ends at a time at the latest; 0 */
};

static void note_wait(const struct wait *w)
{
	rt_held_pop(w->lock);
	rt_event_next(EV_CWAIT, w->cond, w->lock, w->lock, w->timed, w->pc);
	rt_wait_begin(EV_CWAKE, w->cond, w->pc);
}

static int note_wake(const struct wait *w, int result)
{
	rt_wait_end();
	rt_event_next(EV_CWAKE, w->cond, w->lock, w->lock, result, w->pc);
	if (result == EOWNERDEAD)
		rt_held_lost(w->lock);
	rt_held_push(w->lock);
	return result;
}

static void note_cancelled(void *w)
{
	note_wake(w, ECANCELED);
}

static int note_refused(const struct wait *w, int result)
{
	if (result == EPERM)                    /* found out after it was counted among those who wait; a bad time is before */
		buffer_drain();
	if (result)
		rt_event(EV_TRYFAIL, w->cond, ARG, 0, result, w->pc);
	return result;
}

/* A condition made with pthread_condattr_setclock keeps its clock in bit 1 of the word behind the counters. */
static clockid_t clock_of(const pthread_cond_t *c)
{
	return c->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

static int thrd_of(int result)
{
	return result == ETIMEDOUT ? thrd_timedout : result ? thrd_error : thrd_success;
}

static bool will_release(const pthread_mutex_t *m)
{
	return !mutex_checks_owner(m) || mutex_is_mine(m);
}

/* ---- steered ---- */

static uint32_t ways_to_wake(const struct strand *s)
{
	bool blocks = mutex_would_block(s->ask.second, s->tid);
	if (!s->waits_at || steer_is_cancelled(s))
		return blocks ? 0 : WAY_GO;
	return (blocks ? 0 : WAY(ANSWER_SPURIOUS)) | (s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0);
}

static uint32_t ways_to_lock_again(const struct strand *s)
{
	return mutex_would_block(s->ask.second, s->tid) ? 0 : WAY_GO;
}

/* Gives the lock up, sleeps, has it again. */
static int steered_wait(const struct wait *w, pthread_mutex_t *m, uint64_t deadline)
{
	steer_point(EV_CWAIT, w->cond, w->pc);
	note_wait(w);
	steer_wait_at(w->cond, WAITS_FOR_ANY);
	REAL(pthread_mutex_unlock)(m);
	struct steer_ask ask = { .kind = EV_CWAKE, .object = w->cond, .place = w->pc, .ways = ways_to_wake,
		.second = m, .deadline = deadline, .cancels = CANCEL_BY_CALLER };
	enum point_answer answer = steer_stop(&ask);
	bool picked = own_strand->waits_at == 0;
	steer_wait_over();
	if (answer == ANSWER_TIMEOUT) {
		ask.ways = ways_to_lock_again;
		ask.deadline = 0;
		if (mutex_would_block(m, own_strand->tid))
			steer_stop(&ask);
	}
	int locked = REAL(pthread_mutex_lock)(m);
	bool cancelled = !picked && answer == ANSWER_GO;
	int result = cancelled ? ECANCELED : locked ? locked : answer == ANSWER_TIMEOUT ? ETIMEDOUT : 0;
	note_wake(w, result);
	if (cancelled)
		steer_act_on_cancel();
	return cancelled ? 0 : result;
}

static void steered_signal(uint64_t cond, bool all)
{
	if (!rt_steered())
		return;
	if (all)
		while (steer_wake_one(cond, WAITS_FOR_ANY, 0))
			;
	else
		steer_wake_one(cond, WAITS_FOR_ANY, steer_choose(steer_waiters(cond, WAITS_FOR_ANY)));
}

/* The real wait between its two records.  `call` is a cancellation point. */
#define WAIT(w, call, as_errno) ({ \
	int answer_; \
	note_wait(&w); \
	pthread_cleanup_push(note_cancelled, &w); \
	answer_ = (call); \
	pthread_cleanup_pop(0); \
	note_wake(&w, as_errno(answer_)); \
	answer_; })
#define SAME(answer) (answer)

INTERPOSE(int, pthread_cond_wait, (pthread_cond_t *restrict c, pthread_mutex_t *restrict m))
{
	if (!rt_on())
		return REAL_COND(pthread_cond_wait)(c, m);
	struct wait w = { AS_OBJECT(c), AS_OBJECT(m), RT_PC, 0 };
	if (!will_release(m))
		return note_refused(&w, REAL_COND(pthread_cond_wait)(c, m));
	if (rt_steered())
		return steered_wait(&w, m, 0);
	return WAIT(w, REAL_COND(pthread_cond_wait)(c, m), SAME);
}

INTERPOSE(int, pthread_cond_timedwait, (pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
	const struct timespec *restrict until))
{
	if (!rt_on())
		return REAL_COND(pthread_cond_timedwait)(c, m, until);
	struct wait w = { AS_OBJECT(c), AS_OBJECT(m), RT_PC, ETIMEDOUT };
	if (!will_release(m) || !deadline_is_valid(CLOCK_REALTIME, until))
		return note_refused(&w, REAL_COND(pthread_cond_timedwait)(c, m, until));
	if (rt_steered())
		return steered_wait(&w, m, steer_deadline(clock_of(c), until));
	return WAIT(w, UNTIL(REAL_COND(pthread_cond_timedwait)(c, m, until)), SAME);
}

INTERPOSE(int, pthread_cond_clockwait, (pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock,
	const struct timespec *restrict until))
{
	if (!rt_on())
		return REAL(pthread_cond_clockwait)(c, m, clock, until);
	struct wait w = { AS_OBJECT(c), AS_OBJECT(m), RT_PC, ETIMEDOUT };
	if (!will_release(m) || !deadline_is_valid(clock, until))
		return note_refused(&w, REAL(pthread_cond_clockwait)(c, m, clock, until));
	if (rt_steered())
		return steered_wait(&w, m, steer_deadline(clock, until));
	return WAIT(w, UNTIL(REAL(pthread_cond_clockwait)(c, m, clock, until)), SAME);
}

/* With nobody there libc only looks; who was picked and has not come back may be gone from its count already. */
static void signal_point(enum event_kind kind, const void *c, uint64_t pc)
{
	steer_point_keeps(kind, AS_OBJECT(c), pc, true);
	if (rt_steered() && steer_waiters(AS_OBJECT(c), WAITS_FOR_ANY))
		buffer_drain();
}

static void note_signal(enum event_kind kind, const void *c, uint64_t pc)
{
	rt_event_next(kind, AS_OBJECT(c), 0, AS_OBJECT(c), 0, pc);
}

INTERPOSE(int, pthread_cond_signal, (pthread_cond_t *c))
{
	signal_point(EV_CSIGNAL, c, RT_PC);
	if (rt_on())
		note_signal(EV_CSIGNAL, c, RT_PC);
	steered_signal(AS_OBJECT(c), false);
	return REAL_COND(pthread_cond_signal)(c);
}

INTERPOSE(int, pthread_cond_broadcast, (pthread_cond_t *c))
{
	signal_point(EV_CBROADCAST, c, RT_PC);
	if (rt_on())
		note_signal(EV_CBROADCAST, c, RT_PC);
	steered_signal(AS_OBJECT(c), true);
	return REAL_COND(pthread_cond_broadcast)(c);
}

static void note_life(enum event_kind kind, const void *c, int result, uint64_t pc)
{
	rt_event(kind, AS_OBJECT(c), ARG, result ? 0 : rt_version(AS_OBJECT(c)), result, pc);
}

INTERPOSE(int, pthread_cond_init, (pthread_cond_t *restrict c, const pthread_condattr_t *restrict attr))
{
	steer_point_keeps(EV_LOCKINIT, AS_OBJECT(c), RT_PC, true);
	int result = REAL_COND(pthread_cond_init)(c, attr);
	if (rt_on())
		note_life(EV_LOCKINIT, c, result, RT_PC);
	return result;
}

INTERPOSE(int, pthread_cond_destroy, (pthread_cond_t *c))
{
	steer_point(EV_LOCKDEAD, AS_OBJECT(c), RT_PC);
	int result = REAL_COND(pthread_cond_destroy)(c);
	if (rt_on())
		note_life(EV_LOCKDEAD, c, result, RT_PC);
	return result;
}

/* ---- C11 ---- */

INTERPOSE(int, cnd_wait, (cnd_t *c, mtx_t *m))
{
	if (!rt_on())
		return REAL(cnd_wait)(c, m);
	struct wait w = { AS_OBJECT(c), AS_OBJECT(m), RT_PC, 0 };
	if (!will_release((pthread_mutex_t *)m))
		return note_refused(&w, REAL(cnd_wait)(c, m));
	if (rt_steered())
		return thrd_of(steered_wait(&w, (pthread_mutex_t *)m, 0));
	return WAIT(w, REAL(cnd_wait)(c, m), errno_of_thrd);
}

INTERPOSE(int, cnd_timedwait, (cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until))
{
	if (!rt_on())
		return REAL(cnd_timedwait)(c, m, until);
	struct wait w = { AS_OBJECT(c), AS_OBJECT(m), RT_PC, ETIMEDOUT };
	if (!will_release((pthread_mutex_t *)m) || !deadline_is_valid(CLOCK_REALTIME, until))
		return note_refused(&w, REAL(cnd_timedwait)(c, m, until));
	if (rt_steered())
		return thrd_of(steered_wait(&w, (pthread_mutex_t *)m, steer_deadline(CLOCK_REALTIME, until)));
	return WAIT(w, UNTIL(REAL(cnd_timedwait)(c, m, until)), errno_of_thrd);
}

INTERPOSE(int, cnd_signal, (cnd_t *c))
{
	signal_point(EV_CSIGNAL, c, RT_PC);
	if (rt_on())
		note_signal(EV_CSIGNAL, c, RT_PC);
	steered_signal(AS_OBJECT(c), false);
	return REAL(cnd_signal)(c);
}

INTERPOSE(int, cnd_broadcast, (cnd_t *c))
{
	signal_point(EV_CBROADCAST, c, RT_PC);
	if (rt_on())
		note_signal(EV_CBROADCAST, c, RT_PC);
	steered_signal(AS_OBJECT(c), true);
	return REAL(cnd_broadcast)(c);
}

INTERPOSE(int, cnd_init, (cnd_t *c))
{
	steer_point_keeps(EV_LOCKINIT, AS_OBJECT(c), RT_PC, true);
	int answer = REAL(cnd_init)(c);
	if (rt_on())
		note_life(EV_LOCKINIT, c, errno_of_thrd(answer), RT_PC);
	return answer;
}

INTERPOSE(void, cnd_destroy, (cnd_t *c))
{
	steer_point(EV_LOCKDEAD, AS_OBJECT(c), RT_PC);
	REAL(cnd_destroy)(c);
	if (rt_on())
		note_life(EV_LOCKDEAD, c, 0, RT_PC);
}
