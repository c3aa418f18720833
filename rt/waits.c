/* rt/waits.c -- futexes inside libc and other libraries, in a steered run: nobody sleeps in the kernel.  (Those the program asks for
 * by name are futex.c's.)
 *   (1) a wait looks at the word and joins the waiters in one event; a second one ends it: it was picked, or its time is up;
 *   (2) who is woken is the scheduler's choice, among those that wait at that word with a matching mask;
 *   (3) a word other processes may share (no FUTEX_PRIVATE_FLAG) is also watched: a change ends the wait, and wakes reach the
 *       kernel too.
 * Priority inheriting futexes go to the kernel: in a steered run they are not contended. */
#include <linux/futex.h>

#include "rt/input.h"
#include "rt/world.h"

static uint32_t read_word(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static uint32_t ways_of_wait(const struct strand *s)
{
	uint32_t late = s->ask.deadline ? WAY(ANSWER_TIMEOUT) : 0;
	const uint32_t *shared = s->ask.first;
	bool changed = shared && read_word(shared) != s->futex_expected;
	return s->waits_at && !changed ? late : WAY_GO | late;
}

static uint64_t deadline_of(const struct world_call *c)
{
	const struct timespec *t = (const struct timespec *)c->a[3];
	if (!t)
		return 0;
	if ((c->a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT)
		return steer_clock() + time_spec(t) + 1;
	return steer_deadline(c->a[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, t);
}

static long wait_at(const struct world_call *c, uint32_t mask)
{
	struct strand *s = own_strand;
	uint32_t *word = (uint32_t *)c->a[0];
	const struct timespec *t = (const struct timespec *)c->a[3];
	bool private = c->a[1] & FUTEX_PRIVATE_FLAG;
	if (!mask || (t && (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= 1000000000)))
		return -EINVAL;
	if (!private && steer_tid_has_ended((int32_t)c->a[2]))
		return kernel_call(c);                  /* libc waits for the kernel to let go of a thread that has ended */
	uint64_t deadline = deadline_of(c);
	steer_point(EV_FWAIT, (uint64_t)word, c->pc);
	if (read_word(word) != (uint32_t)c->a[2])
		return -EAGAIN;
	s->futex_expected = (uint32_t)c->a[2];
	steer_wait_at((uint64_t)word, mask);
	struct steer_ask ask = { .kind = EV_FWAIT, .object = (uint64_t)word, .place = c->pc, .ways = ways_of_wait,
		.first = private ? NULL : word, .deadline = deadline };
	enum point_answer answer = steer_stop(&ask);
	steer_wait_over();
	return answer == ANSWER_TIMEOUT ? -ETIMEDOUT : 0;
}

static long wake(const uint32_t *word, uint32_t mask, long most)
{
	long woken = 0;
	uint32_t there = steer_waiters((uint64_t)word, mask);
	for (; woken < most && there; woken++, there--)
		steer_wake_one((uint64_t)word, mask, (long)there > most - woken ? steer_choose(there) : 0);
	return woken;
}

static long wake_call(const struct world_call *c, uint32_t mask)
{
	const uint32_t *word = (const uint32_t *)c->a[0];
	steer_point(EV_FWAKE, (uint64_t)word, c->pc);
	long others = c->a[1] & FUTEX_PRIVATE_FLAG || input_serving() ? 0 : kernel_call(c);
	return wake(word, mask, (int)c->a[2]) + (others > 0 ? others : 0);
}

static long requeue(const struct world_call *c, bool compare)
{
	const uint32_t *from = (const uint32_t *)c->a[0], *to = (const uint32_t *)c->a[4];
	steer_point(EV_FWAKE, (uint64_t)from, c->pc);
	if (compare && read_word(from) != (uint32_t)c->a[5])
		return -EAGAIN;
	long woken = wake(from, WAITS_FOR_ANY, (int)c->a[2]), moved = 0;
	while (moved < (int)c->a[3] && steer_move_one((uint64_t)from, (uint64_t)to, 0))
		moved++;
	return compare ? woken + moved : woken;
}

/* FUTEX_WAKE_OP: changes the second word and wakes there too if it was as described. */
static long wake_op(const struct world_call *c)
{
	uint32_t *second = (uint32_t *)c->a[4], code = (uint32_t)c->a[5];
	uint32_t operand = code >> 12 & 0xfff, compared = code & 0xfff;
	steer_point(EV_FWAKE, (uint64_t)c->a[0], c->pc);
	if (code >> 28 & FUTEX_OP_OPARG_SHIFT)
		operand = 1u << (operand & 31);
	uint32_t old = *second, new = old;
	switch (code >> 28 & 7) {
	case FUTEX_OP_SET:  new = operand; break;
	case FUTEX_OP_ADD:  new = old + operand; break;
	case FUTEX_OP_OR:   new = old | operand; break;
	case FUTEX_OP_ANDN: new = old & ~operand; break;
	case FUTEX_OP_XOR:  new = old ^ operand; break;
	default: return -ENOSYS;
	}
	*second = new;
	int32_t a = (int32_t)old, b = (int32_t)compared;
	bool as_described;
	switch (code >> 24 & 15) {
	case FUTEX_OP_CMP_EQ: as_described = a == b; break;
	case FUTEX_OP_CMP_NE: as_described = a != b; break;
	case FUTEX_OP_CMP_LT: as_described = a < b; break;
	case FUTEX_OP_CMP_LE: as_described = a <= b; break;
	case FUTEX_OP_CMP_GT: as_described = a > b; break;
	case FUTEX_OP_CMP_GE: as_described = a >= b; break;
	default: return -ENOSYS;
	}
	long woken = wake((const uint32_t *)c->a[0], WAITS_FOR_ANY, (int)c->a[2]);
	return woken + (as_described ? wake(second, WAITS_FOR_ANY, (int)c->a[3]) : 0);
}

long futex_call(struct world_call *c)
{
	switch (c->a[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:         return wait_at(c, WAITS_FOR_ANY);
	case FUTEX_WAIT_BITSET:  return wait_at(c, (uint32_t)c->a[5]);
	case FUTEX_WAKE:         return wake_call(c, WAITS_FOR_ANY);
	case FUTEX_WAKE_BITSET:  return wake_call(c, (uint32_t)c->a[5]);
	case FUTEX_REQUEUE:      return requeue(c, false);
	case FUTEX_CMP_REQUEUE:  return requeue(c, true);
	case FUTEX_WAKE_OP:      return wake_op(c);
	default:                 return kernel_call(c);
	}
}
