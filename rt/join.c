/* rt/join.c -- threads: join and detach; pthread and C11.
 * Whose thread it is must be asked before, for afterwards the pthread_t may mean another one. */
#include "rt/buffer.h"
#include "rt/effect.h"
#include "rt/pool.h"
#include "rt/slots.h"
#include "rt/steer.h"
#include "rt/sync.h"
#include "rt/world.h"

/* Steered.  That a thread is waited for is seen by others (EINVAL, EDEADLK), so coming to wait is one event, the end of the
 * wait another; the join of a thread that has ended is one. */
static uint32_t ways_to_join(const struct strand *s)
{
	if (steer_has_ended(s->ask.first) || steer_is_cancelled(s))
		return WAY_GO;
	return s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0;
}

static int await_end(struct strand *other, uint32_t uid, uint64_t deadline, uint64_t pc)
{
	struct steer_ask ask = { .kind = EV_JOIN, .object = uid, .place = pc, .ways = ways_to_join, .first = other,
		.deadline = deadline, .cancels = CANCEL_BY_CALLER };
	other->joiner = own_strand;
	enum point_answer answer = steer_stop(&ask);
	if (answer == ANSWER_GO && !steer_has_ended(other)) {
		other->joiner = NULL;
		steer_act_on_cancel();
		return await_end(other, uid, deadline, pc);
	}
	other->joiner = NULL;
	own_strand->told++;                                     /* one point to those who read the trace: wire/ring.h */
	return answer == ANSWER_TIMEOUT ? ETIMEDOUT : 0;
}

static bool can_be_joined(const struct slot *s)
{
	return s && s->strand && s->strand != own_strand && !(__atomic_load_n(&s->state, __ATOMIC_RELAXED) & SLOT_LET_GO);
}

/* 0: libc is to be asked and will answer at once; otherwise what it would answer.  `until` NULL: without end. */
static int join_point(const struct slot *s, clockid_t clock, const struct timespec *until, uint64_t pc)
{
	int refused = 0;
	if (!rt_steered() || !can_be_joined(s) || (until && !deadline_is_valid(clock, until)))
		return 0;
	struct strand *other = s->strand;
	if (own_strand->joiner == other && !steer_is_cancelled(own_strand) && !other->cancel_sent)
		refused = EDEADLK;
	else if (other->joiner)
		refused = EINVAL;
	else if (!steer_has_ended(other))
		refused = await_end(other, slot_uid(s), steer_deadline(clock, until), pc);
	if (!refused)
		steer_joined(other);
	return refused;
}

/* Its strand has ended: libc's own join comes back at once. */
static bool settled(const struct slot *s)
{
	return can_be_joined(s) && steer_has_ended(s->strand);
}

static void note_join(struct slot *s, uint32_t uid, uint64_t tried, int result, const void *value, size_t bytes, uint64_t pc)
{
	rt_event(EV_JOIN, uid, result ? 0 : tried, 0, result, pc);
	if (result == 0)
		effect_result(value, bytes, pc);
	if (result == 0 && s)
		slot_mark(s, SLOT_ENDED | SLOT_LET_GO);
	if (result == 0 && rt_steered())
		pool_joined();
}

/* Not steered: EBUSY where one has to wait.  Handle 0 is refused by those that wait; the try takes it for a thread and falls. */
static int join_at_once(pthread_t thread, void **value)
{
	return thread ? REAL(pthread_tryjoin_np)(thread, value) : EBUSY;
}

INTERPOSE(int, pthread_join, (pthread_t thread, void **value))
{
	if (!rt_on())
		return REAL(pthread_join)(thread, value);
	steer_point(EV_JOIN, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = slot_uid(s);
	int result = join_point(s, 0, NULL, RT_PC);
	if (rt_steered())                                       /* its strand has ended, so will its kernel thread */
		result = result ? result : REAL(pthread_join)(thread, value);
	else if ((result = join_at_once(thread, value)) == EBUSY)
		result = BLOCKING(EV_JOIN, uid, RT_PC, REAL(pthread_join)(thread, value));
	note_join(s, uid, 0, result, value, sizeof *value, RT_PC);
	return result;
}

INTERPOSE(int, pthread_tryjoin_np, (pthread_t thread, void **value))
{
	if (!rt_on())
		return REAL(pthread_tryjoin_np)(thread, value);
	steer_point_keeps(EV_JOIN, 0, RT_PC, true);
	struct slot *s = slot_of(thread);
	uint32_t uid = slot_uid(s);
	int result = 0;
	if (!rt_steered() || !can_be_joined(s) || !steer_has_ended(s->strand))
		result = REAL(pthread_tryjoin_np)(thread, value);
	else if ((result = join_point(s, 0, NULL, RT_PC)) == 0)
		result = REAL(pthread_join)(thread, value);
	if (result != EBUSY)                                    /* else it only looked */
		buffer_drain();
	note_join(s, uid, LOCK_TRIED, result, value, sizeof *value, RT_PC);
	return steer_tried(result);
}

INTERPOSE(int, pthread_timedjoin_np, (pthread_t thread, void **value, const struct timespec *until))
{
	if (!rt_on())
		return REAL(pthread_timedjoin_np)(thread, value, until);
	steer_point(EV_JOIN, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = slot_uid(s);
	int result = join_point(s, CLOCK_REALTIME, until, RT_PC);
	if (rt_steered())
		result = result ? result : settled(s) ? REAL(pthread_join)(thread, value) : REAL(pthread_timedjoin_np)(thread, value, until);
	else if ((result = join_at_once(thread, value)) == EBUSY)
		result = BLOCKING(EV_JOIN, uid, RT_PC, UNTIL(REAL(pthread_timedjoin_np)(thread, value, until)));
	note_join(s, uid, LOCK_TRIED | LOCK_TIMED, result, value, sizeof *value, RT_PC);
	return result;
}

INTERPOSE(int, pthread_clockjoin_np, (pthread_t thread, void **value, clockid_t clock, const struct timespec *until))
{
	if (!rt_on())
		return REAL(pthread_clockjoin_np)(thread, value, clock, until);
	steer_point(EV_JOIN, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = slot_uid(s);
	int result = join_point(s, clock, until, RT_PC);
	if (rt_steered())
		result = result ? result : settled(s) ? REAL(pthread_join)(thread, value) : REAL(pthread_clockjoin_np)(thread, value, clock, until);
	else if ((result = join_at_once(thread, value)) == EBUSY)
		result = BLOCKING(EV_JOIN, uid, RT_PC, UNTIL(REAL(pthread_clockjoin_np)(thread, value, clock, until)));
	note_join(s, uid, LOCK_TRIED | LOCK_TIMED, result, value, sizeof *value, RT_PC);
	return result;
}

INTERPOSE(int, thrd_join, (thrd_t thread, int *value))
{
	if (!rt_on())
		return REAL(thrd_join)(thread, value);
	steer_point(EV_JOIN, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = slot_uid(s);
	void *wide;
	int answer = thrd_success;
	if (rt_steered())
		answer = join_point(s, 0, NULL, RT_PC) ? thrd_error : REAL(thrd_join)(thread, value);
	else if (join_at_once(thread, &wide) != 0)
		answer = BLOCKING(EV_JOIN, uid, RT_PC, REAL(thrd_join)(thread, value));
	else if (value)
		*value = (int)(intptr_t)wide;
	note_join(s, uid, 0, errno_of_thrd(answer), value, sizeof *value, RT_PC);
	return answer;
}

/* To detach a thread that somebody waits for has no effect in libc, which knows of nobody who waits in a steered run. */
static bool is_awaited(const struct slot *s)
{
	return s && s->strand && s->strand->joiner;
}

static void note_detach(struct slot *s, uint32_t uid, int result, uint64_t pc)
{
	rt_event(EV_DETACH, uid, 0, 0, result, pc);
	if (result == 0 && s && !is_awaited(s))
		slot_mark(s, SLOT_LET_GO);
}

INTERPOSE(int, pthread_detach, (pthread_t thread))
{
	if (!rt_on())
		return REAL(pthread_detach)(thread);
	steer_point(EV_DETACH, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = slot_uid(s);
	int result = is_awaited(s) ? 0 : REAL(pthread_detach)(thread);
	note_detach(s, uid, result, RT_PC);
	return result;
}

INTERPOSE(int, thrd_detach, (thrd_t thread))
{
	if (!rt_on())
		return REAL(thrd_detach)(thread);
	steer_point(EV_DETACH, 0, RT_PC);
	struct slot *s = slot_of(thread);
	uint32_t uid = slot_uid(s);
	int answer = is_awaited(s) ? thrd_success : REAL(thrd_detach)(thread);
	note_detach(s, uid, errno_of_thrd(answer), RT_PC);
	return answer;
}
