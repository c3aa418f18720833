/* rt/futex.c -- what programs do by hand: futex through the libc function `syscall`.
 *   (1) `syscall` passes every number and all six arguments on; futex, the raw forks and exits are looked at here, what others
 *       leave in memory by rawcall.c;
 *   (2) FWAKE has its version from before the wake and its count from after; FWAIT both from after: a wake that let a wait
 *       return always has the smaller version.
 * In a steered run nobody sleeps in the kernel.  A wait is two events: the kernel is asked with a time that is already over,
 * so that it compares the word and finds faults as always; if it would have slept, the strand waits here until it is picked.
 * Whom a wake picks is the scheduler's choice.  Operations whose owner is a kernel thread (PI) and a few others are refused. */
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/fork.h"
#include "rt/rawcall.h"
#include "rt/steer.h"
#include "rt/sync.h"
#include "rt/world.h"

struct call {
	long number;
	unsigned long args[6];
	uint64_t pc;
};

static long pass(const struct call *c)
{
	const unsigned long *a = c->args;
	if (world_wanted())
		return c->number == SYS_futex ? world_errno(sys6(SYS_futex, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4], (long)a[5])) :
			WORLD(c->pc, c->number, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4], (long)a[5]);
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
	if (c->args[3])
		rt_wait_ends();
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

/* ---- steered ---- */

static uint32_t ways_to_return(const struct strand *s)
{
	if (!s->waits_at)
		return WAY_GO;
	return WAY(ANSWER_SPURIOUS) | (s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0);
}

/* When its time is up: FUTEX_WAIT has a span, the others a moment. */
static uint64_t futex_deadline(const struct call *c)
{
	const struct timespec *time = (const struct timespec *)c->args[3];
	if (!time)
		return 0;
	if ((c->args[1] & FUTEX_CMD_MASK) != FUTEX_WAIT)
		return steer_deadline(c->args[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
	return steer_clock() + (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

/* 0: it would sleep.  Otherwise -1 and errno, from the kernel itself. */
static long ask_kernel(const struct call *c)
{
	static const struct timespec over = { 0, 0 };
	const struct timespec *time = (const struct timespec *)c->args[3];
	struct call now = *c;
	if (!time || deadline_is_valid(CLOCK_MONOTONIC, time))
		now.args[3] = (unsigned long)&over;
	int saved = errno;
	long result = pass(&now);
	if (result < 0 && errno != ETIMEDOUT && errno != EINTR)
		return -1;
	errno = saved;
	return 0;
}

static long steered_wait(const struct call *c, uint64_t pc)
{
	uint64_t word = c->args[0];
	bool bits = (c->args[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
	steer_point(EV_FWAIT, word, pc);
	long result = ask_kernel(c);
	if (result == 0) {
		struct steer_ask ask = { .kind = EV_FWAIT, .object = word, .place = pc, .ways = ways_to_return, .deadline = futex_deadline(c) };
		ask.begun = true;
		ask.interrupts = ask.deadline ? INTERRUPTED_ALWAYS : INTERRUPTED_UNLESS_RESTARTED;
		steer_wait_at(word, bits ? (uint32_t)c->args[5] : WAITS_FOR_ANY);
		enum point_answer answer = steer_stop(&ask);
		if (answer == ANSWER_TIMEOUT || answer == ANSWER_INTERRUPTED) {
			errno = answer == ANSWER_TIMEOUT ? ETIMEDOUT : EINTR;
			result = -1;
		}
		steer_wait_over();
	} else {
		steer_unchanged();
	}
	rt_event(EV_FWAIT, word, c->args[2], rt_version(word), errno_after(result), pc);
	return result;
}

/* n of m in the order of their numbers, as one number: 0 are the first n.  Too many ways: only the first are offered. */
static uint32_t ways_to_take(uint32_t n, uint32_t m)
{
	uint64_t ways = 1;
	for (uint32_t i = 0; i < n && ways < UINT16_MAX; i++)
		ways = ways * (m - i) / (i + 1);
	return ways < UINT16_MAX ? (uint32_t)ways : UINT16_MAX;
}

/* Picks `wanted` of those who wait at `word` for one of `bits`; returns how many there were. */
static uint32_t pick(uint64_t word, uint32_t bits, uint32_t wanted)
{
	uint32_t there = steer_waiters(word, bits), picked = 0, at = 0;
	if (wanted > there)
		wanted = there;
	uint32_t which = wanted ? steer_choose(ways_to_take(wanted, there)) : 0;
	while (picked < wanted) {
		uint32_t with_this = ways_to_take(wanted - picked - 1, there - 1);
		there--;
		if (which < with_this || there < wanted - picked) {
			steer_wake_one(word, bits, at);
			picked++;
		} else {
			which -= with_this;
			at++;
		}
	}
	return picked;
}

static uint32_t as_count(unsigned long number)
{
	return (int32_t)number < 0 ? INT_MAX : (uint32_t)number;
}

static long steered_wake(const struct call *c, uint64_t pc)
{
	int operation = c->args[1] & FUTEX_CMD_MASK;
	uint64_t word = c->args[0];
	steer_point(EV_FWAKE, word, pc);
	uint64_t version = rt_version(word);
	long result = pass(c);                                  /* nobody sleeps there: it finds faults, and compares */
	if (result >= 0) {
		uint32_t bits = operation == FUTEX_WAKE_BITSET ? (uint32_t)c->args[5] : WAITS_FOR_ANY, count = as_count(c->args[2]);
		if (operation == FUTEX_WAKE && count == 0)
			count = 1;                              /* as the kernel does */
		result = pick(word, bits, count);
		if (operation == FUTEX_REQUEUE || operation == FUTEX_CMP_REQUEUE)
			for (uint32_t moved = 0; moved < as_count(c->args[3]) && steer_move_one(word, c->args[4], 0); moved++)
				result += operation == FUTEX_CMP_REQUEUE;
		if (result == 0)
			steer_unchanged();
	}
	rt_event(EV_FWAKE, word, result > 0 ? (uint64_t)result : 0, version, errno_after(result), pc);
	return result;
}

static long steered_futex(const struct call *c, uint64_t pc)
{
	switch (c->args[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return steered_wait(c, pc);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		return steered_wake(c, pc);
	case FUTEX_WAKE_OP:
		steer_give_up(OUTCOME_UNSUPPORTED, "the futex operation FUTEX_WAKE_OP");
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
	case FUTEX_UNLOCK_PI:
	case FUTEX_TRYLOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_CMP_REQUEUE_PI:
		steer_give_up(OUTCOME_UNSUPPORTED, "a futex operation with priority inheritance, made by hand");
	default:
		return pass(c);
	}
}

static long futex(const struct call *c, uint64_t pc)
{
	if (rt_steered())
		return steered_futex(c, pc);
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

/* Several words at once; which of them ended the wait is the result. */
static long futex_waitv(const struct call *c, uint64_t pc)
{
	const struct { uint64_t value, word; uint32_t flags, spare; } *waits = (const void *)c->args[0];
	bool known = waits && c->args[1] && c->args[1] <= 128;
	if (known)
		rt_wait_begin(EV_FWAIT, 0, pc);  /* not looked at before the kernel has */
	if (c->args[3])
		rt_wait_ends();
	long result = pass(c);
	rt_wait_end();
	if (known && result >= 0 && (unsigned long)result < c->args[1])
		rt_event(EV_FWAIT, waits[result].word, waits[result].value, rt_version(waits[result].word), 0, pc);
	else if (known)
		rt_event(EV_FWAIT, 0, 0, 0, errno_after(result), pc);
	return result;
}

static long by_number(const struct call *c, uint64_t pc)
{
	struct world_call w = { .number = c->number, .pc = pc };
	struct piece pieces[PIECES_MOST];
	if (rt_steered())
		return pass(c);
	for (unsigned i = 0; i < 6; i++)
		w.a[i] = (long)c->args[i];
	unsigned count = call_pieces(&w, pieces);
	rawcall_before(&w);
	long result = pass(c);
	rawcall_after(&w, result, pieces, count);
	return result;
}

static long dispatch(const struct call *c, uint64_t pc)
{
	switch (c->number) {
	case SYS_futex:
		return futex(c, pc);
#ifdef SYS_futex_waitv
	case SYS_futex_waitv:
		if (rt_steered())
			steer_give_up(OUTCOME_UNSUPPORTED, "the system call futex_waitv");
		return futex_waitv(c, pc);
#endif
	case SYS_exit:
		if (rt_steered())
			steer_give_up(OUTCOME_UNSUPPORTED, "a thread that ends itself by the system call exit");
		rt_thread_end(1);
		return pass(c);
	case SYS_sched_yield:
		steer_yield(pc);
		return rt_steered() ? 0 : pass(c);
	case SYS_exit_group:
		rt_exits((int)c->args[0], pc);
		return pass(c);
	default:
		return by_number(c, pc);
	}
}

INTERPOSE(long, syscall, (long number, ...))
{
	struct call c = { .number = number, .pc = RT_PC };
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
