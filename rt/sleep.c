/* rt/sleep.c -- giving way: yields and sleeps.
 * A sleep blocks on nothing: BLOCK with object 0, then YIELD with the time asked for.
 * In a steered run a yield lets the others go first, and a sleeper can go on when the scheduler lets its time pass, at the latest
 * when nobody else can run; where time is real, everybody really sleeps then. */
#include <sched.h>
#include <unistd.h>

#include "rt/segment.h"
#include "rt/steer.h"
#include "rt/sync.h"

#define NANOSECONDS 1000000000ull

static void note_yield(uint64_t nanoseconds, int result, uint64_t pc)
{
	if (ring_keeps())
		rt_event(EV_YIELD, 0, nanoseconds, 0, result, pc);
}

/* The time asked for, unless the system could not read it either. */
static uint64_t nanoseconds(const struct timespec *t, int failed)
{
	return failed == EFAULT ? 0 : (uint64_t)t->tv_sec * NANOSECONDS + (uint64_t)t->tv_nsec;
}

static int errno_after(long result)
{
	return result < 0 ? errno : 0;
}

/* ---- steered ---- */

static uint32_t ways_to_wake(const struct strand *s)
{
	(void)s;
	return WAY(ANSWER_TIMEOUT);
}

/* Sleeps until `deadline` of the virtual clock; the time that was left when a handler ended it, or 0. */
static uint64_t sleep_until(uint64_t deadline, uint64_t pc)
{
	struct steer_ask ask = { .kind = EV_YIELD, .place = pc, .ways = ways_to_wake, .deadline = deadline ? deadline : 1,
		.cancels = CANCEL_AT_ONCE, .interrupts = INTERRUPTED_ALWAYS };
	if (steer_stop(&ask) != ANSWER_INTERRUPTED)
		return 0;
	uint64_t now = steer_clock();
	return now < deadline ? deadline - now : 1;
}

static uint64_t sleep_for(uint64_t time, uint64_t pc)
{
	uint64_t left = sleep_until(steer_clock() + time, pc);
	note_yield(time, left ? EINTR : 0, pc);
	return left;
}

/* What nanosleep and its like answer: 0 or EINTR, and what was left. */
static int slept(uint64_t time, struct timespec *left, uint64_t pc)
{
	uint64_t rest = sleep_for(time, pc);
	if (rest && left)
		*left = (struct timespec){ .tv_sec = (time_t)(rest / NANOSECONDS), .tv_nsec = (long)(rest % NANOSECONDS) };
	return rest ? EINTR : 0;
}

static int by_errno(int error)
{
	if (error)
		errno = error;
	return error ? -1 : 0;
}

static bool is_time(const struct timespec *t)
{
	return t && t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)NANOSECONDS;
}

INTERPOSE(int, sched_yield, (void))
{
	steer_yield(RT_PC);
	if (rt_on())
		note_yield(0, 0, RT_PC);
	return rt_steered() ? 0 : REAL(sched_yield)();
}

INTERPOSE(void, thrd_yield, (void))
{
	steer_yield(RT_PC);
	if (rt_on())
		note_yield(0, 0, RT_PC);
	if (!rt_steered())
		REAL(thrd_yield)();
}

INTERPOSE(unsigned, sleep, (unsigned seconds))
{
	if (!rt_on())
		return REAL(sleep)(seconds);
	if (rt_steered())
		return (unsigned)((sleep_for(seconds * NANOSECONDS, RT_PC) + NANOSECONDS - 1) / NANOSECONDS);
	unsigned left = BLOCKING(EV_YIELD, 0, RT_PC, REAL(sleep)(seconds));
	note_yield(seconds * NANOSECONDS, left ? EINTR : 0, RT_PC);
	return left;
}

INTERPOSE(int, usleep, (useconds_t microseconds))
{
	if (!rt_on())
		return REAL(usleep)(microseconds);
	if (rt_steered())
		return by_errno(slept(microseconds * 1000ull, NULL, RT_PC));
	int result = BLOCKING(EV_YIELD, 0, RT_PC, REAL(usleep)(microseconds));
	note_yield(microseconds * 1000ull, errno_after(result), RT_PC);
	return result;
}

INTERPOSE(int, nanosleep, (const struct timespec *time, struct timespec *left))
{
	if (!rt_on())
		return REAL(nanosleep)(time, left);
	if (rt_steered() && is_time(time))
		return by_errno(slept(nanoseconds(time, 0), left, RT_PC));
	int result = BLOCKING(EV_YIELD, 0, RT_PC, REAL(nanosleep)(time, left));
	note_yield(nanoseconds(time, errno_after(result)), errno_after(result), RT_PC);
	return result;
}

INTERPOSE(int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *left))
{
	if (!rt_on())
		return REAL(clock_nanosleep)(clock, flags, time, left);
	if (rt_steered() && is_time(time) && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC)) {
		if (!(flags & TIMER_ABSTIME))
			return slept(nanoseconds(time, 0), left, RT_PC);
		int ended = sleep_until(steer_deadline(clock, time), RT_PC) ? EINTR : 0;
		note_yield(nanoseconds(time, 0), ended, RT_PC);
		return ended;
	}
	int result = BLOCKING(EV_YIELD, 0, RT_PC, REAL(clock_nanosleep)(clock, flags, time, left));
	note_yield(nanoseconds(time, result), result, RT_PC);
	return result;
}

INTERPOSE(int, thrd_sleep, (const struct timespec *time, struct timespec *left))
{
	if (!rt_on())
		return REAL(thrd_sleep)(time, left);
	if (rt_steered() && is_time(time))
		return slept(nanoseconds(time, 0), left, RT_PC) ? -1 : 0;
	int answer = BLOCKING(EV_YIELD, 0, RT_PC, REAL(thrd_sleep)(time, left));
	int result = answer == 0 ? 0 : answer == -1 ? EINTR : errno;
	note_yield(nanoseconds(time, result), result, RT_PC);
	return answer;
}
