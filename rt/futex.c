/* rt/futex.c -- what programs do by hand: futex through the libc function `syscall`, yields and sleeps.
 *   (1) `syscall` passes every number and all six arguments on; only futex, the raw forks and exits are looked at;
 *   (2) FWAKE has its version from before the wake and its count from after; FWAIT both from after: a wake that let a wait
 *       return always has the smaller version;
 *   (3) a sleep blocks on nothing: BLOCK with object 0, then YIELD with the time asked for. */
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/fork.h"
#include "rt/sync.h"

#define NANOSECONDS 1000000000ull

struct call {
	long number;
	unsigned long args[6];
};

static long pass(const struct call *c)
{
	const unsigned long *a = c->args;
	return REAL(syscall)(c->number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static int errno_after(long result)
{
	return result < 0 ? errno : 0;
}

static long futex_wait(const struct call *c, uint64_t pc)
{
	uint64_t word = c->args[0];
	rt_wait_begin(EV_FWAIT, word, pc);
	long result = pass(c);
	rt_wait_end();
	rt_event(EV_FWAIT, word, c->args[2], rt_version(word), errno_after(result), pc);
	return result;
}

static long futex_wake(const struct call *c, uint64_t pc)
{
	uint64_t word = c->args[0], version = rt_version(word);
	long result = pass(c);
	rt_event(EV_FWAKE, word, result > 0 ? (uint64_t)result : 0, version, errno_after(result), pc);
	return result;
}

static long futex(const struct call *c, uint64_t pc)
{
	switch (c->args[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return futex_wait(c, pc);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_WAKE_OP:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_UNLOCK_PI:
		return futex_wake(c, pc);
	default:
		return pass(c);
	}
}

/* Does this call make a process with memory of its own?  (One that shares ours must not be touched on its way back.) */
static bool makes_process(const struct call *c)
{
	switch (c->number) {
	case SYS_fork:
		return true;
	case SYS_clone:
		return !(c->args[0] & CLONE_VM);
	case SYS_clone3:
		return c->args[0] && !(*(const uint64_t *)c->args[0] & CLONE_VM);
	default:
		return false;
	}
}

static long dispatch(const struct call *c, uint64_t pc)
{
	switch (c->number) {
	case SYS_futex:
		return futex(c, pc);
	case SYS_exit:
		rt_thread_end(1);
		return pass(c);
	case SYS_exit_group:
		rt_exits((int)c->args[0], pc);
		return pass(c);
	default:
		return pass(c);
	}
}

INTERPOSE(long, syscall, (long number, ...))
{
	struct call c = { .number = number };
	va_list list;
	va_start(list, number);
	for (unsigned i = 0; i < 6; i++)
		c.args[i] = va_arg(list, unsigned long);
	va_end(list);
	if (makes_process(&c)) {
		long result = pass(&c);
		rt_forked_by_syscall(number, result, RT_PC);
		return result;
	}
	return rt_on() ? dispatch(&c, RT_PC) : pass(&c);
}

/* ---- giving way ---- */

static void note_yield(uint64_t nanoseconds, int result, uint64_t pc)
{
	rt_event(EV_YIELD, 0, nanoseconds, 0, result, pc);
}

/* The time asked for, unless the system could not read it either. */
static uint64_t nanoseconds(const struct timespec *t, int failed)
{
	return failed == EFAULT ? 0 : (uint64_t)t->tv_sec * NANOSECONDS + (uint64_t)t->tv_nsec;
}

INTERPOSE(int, sched_yield, (void))
{
	if (rt_on())
		note_yield(0, 0, RT_PC);
	return REAL(sched_yield)();
}

INTERPOSE(void, thrd_yield, (void))
{
	if (rt_on())
		note_yield(0, 0, RT_PC);
	REAL(thrd_yield)();
}

INTERPOSE(unsigned, sleep, (unsigned seconds))
{
	if (!rt_on())
		return REAL(sleep)(seconds);
	unsigned left = BLOCKING(EV_YIELD, 0, RT_PC, REAL(sleep)(seconds));
	note_yield(seconds * NANOSECONDS, left ? EINTR : 0, RT_PC);
	return left;
}

INTERPOSE(int, usleep, (useconds_t microseconds))
{
	if (!rt_on())
		return REAL(usleep)(microseconds);
	int result = BLOCKING(EV_YIELD, 0, RT_PC, REAL(usleep)(microseconds));
	note_yield(microseconds * 1000ull, errno_after(result), RT_PC);
	return result;
}

INTERPOSE(int, nanosleep, (const struct timespec *time, struct timespec *left))
{
	if (!rt_on())
		return REAL(nanosleep)(time, left);
	int result = BLOCKING(EV_YIELD, 0, RT_PC, REAL(nanosleep)(time, left));
	note_yield(nanoseconds(time, errno_after(result)), errno_after(result), RT_PC);
	return result;
}

INTERPOSE(int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *left))
{
	if (!rt_on())
		return REAL(clock_nanosleep)(clock, flags, time, left);
	int result = BLOCKING(EV_YIELD, 0, RT_PC, REAL(clock_nanosleep)(clock, flags, time, left));
	note_yield(nanoseconds(time, result), result, RT_PC);
	return result;
}

INTERPOSE(int, thrd_sleep, (const struct timespec *time, struct timespec *left))
{
	if (!rt_on())
		return REAL(thrd_sleep)(time, left);
	int answer = BLOCKING(EV_YIELD, 0, RT_PC, REAL(thrd_sleep)(time, left));
	int result = answer == 0 ? 0 : answer == -1 ? EINTR : errno;
	note_yield(nanoseconds(time, result), result, RT_PC);
	return answer;
}
