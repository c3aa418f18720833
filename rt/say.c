/* rt/say.c -- what a program says about itself: <raddle.h>, and the words other tools have for the same things
 * (__VERIFIER_*, __tsan_*), so that programs annotated for them need no change.
 *
 * Values nobody knows (nondet) come from the scheduler: 0 in a run that is not steered. */
#include <stdlib.h>

#include "rt/buffer.h"
#include "rt/segment.h"
#include "rt/steer.h"

#define SAYS RT_EXPORT __attribute__((weak))    /* a program's own definition counts more */

static size_t length_of(const char *text)
{
	size_t length = 0;
	while (text[length])
		length++;
	return length;
}

/* ---- <raddle.h> ---- */

void raddle_say_assume(int holds);
void raddle_say_assert(int holds, const char *condition, const char *file, int line);
unsigned raddle_say_choose(unsigned n);
void raddle_say_label(const char *text);
void raddle_say_atomic(int begins);
void raddle_say_ignore(int begins);
void raddle_say_lock(const void *lock, int for_reading, int acquired);
void raddle_say_order(const void *object, int before);
void raddle_say_block(const void *address, size_t bytes, int given);

static void assumed(int holds, uint64_t pc)
{
	if (holds || !rt_steered())
		return;
	steer_point(EV_ASSUME, 0, pc);       /* others may still do something before */
	steer_give_up(OUTCOME_ASSUME, "an assumption of the program does not hold");
}

SAYS void raddle_say_assume(int holds)
{
	assumed(holds, RT_PC);
}

SAYS void raddle_say_assert(int holds, const char *condition, const char *file, int line)
{
	(void)file, (void)line;
	if (holds)
		return;
	if (rt_steered())
		steer_give_up(OUTCOME_ASSERT, condition);
	rt_say("raddle_assert failed:");
	rt_say(condition);
	abort();
}

static uint32_t chosen(uint32_t n, uint64_t pc)
{
	if (n < 2 || !rt_steered())
		return 0;
	steer_point(EV_CHOICE, 0, pc);
	uint32_t number = steer_choose(n);
	rt_event(EV_CHOICE, n, number, 0, 0, pc);
	return number;
}

SAYS unsigned raddle_say_choose(unsigned n)
{
	return chosen(n, RT_PC);
}

SAYS void raddle_say_label(const char *text)
{
	if (rt_on())
		rt_event_bytes(EV_LABEL, 0, length_of(text), 0, text, length_of(text), 256, RT_PC);
}

static void unbroken(int begins, uint64_t pc)
{
	if (!rt_steered() || !own_strand)
		return;
	bool outermost = own_strand->unbroken == !begins;
	if (outermost)
		steer_point(EV_ATOMIC, 0, pc);
	buffer_drain();                         /* for the others it is all one moment */
	if (outermost)
		rt_event(EV_ATOMIC, 0, begins != 0, 0, 0, pc);
	if (begins)
		own_strand->unbroken++;
	else if (own_strand->unbroken)
		own_strand->unbroken--;
}

SAYS void raddle_say_atomic(int begins)
{
	unbroken(begins, RT_PC);
}

SAYS void raddle_say_ignore(int begins)
{
	if (!rt_steered() || !own_strand)
		return;
	rt_event(EV_IGNORE, 0, begins != 0, 0, 0, RT_PC);
	if (begins)
		own_strand->ignores++;
	else if (own_strand->ignores)
		own_strand->ignores--;
}

static void lock_said(const void *lock, int for_reading, int acquired, uint64_t pc)
{
	uint64_t object = (uint64_t)lock, arg = (uint64_t)LOCK_USER << 8 | (for_reading ? LOCK_FOR_READING : LOCK_FOR_WRITING);
	if (!rt_on())
		return;
	if (!acquired)
		rt_held_pop(object);
	rt_event(acquired ? EV_LOCK : EV_UNLOCK, object, arg, rt_version(object), 0, pc);
	if (acquired)
		rt_held_push(object);
}

SAYS void raddle_say_lock(const void *lock, int for_reading, int acquired)
{
	lock_said(lock, for_reading, acquired, RT_PC);
}

static void order_said(const void *object, int before, uint64_t pc)
{
	if (rt_on())
		rt_event(before ? EV_RELEASE : EV_ACQUIRE, (uint64_t)object, 0, rt_version((uint64_t)object), 0, pc);
}

SAYS void raddle_say_order(const void *object, int before)
{
	order_said(object, before, RT_PC);
}

SAYS void raddle_say_block(const void *address, size_t bytes, int given)
{
	if (rt_on())
		rt_event(given ? EV_ALLOC : EV_FREE, (uint64_t)address, bytes, rt_alloc_version(), 0, RT_PC);
}

/* ---- programs written for software verifiers ---- */

/* A value of `bytes` bytes from a number nobody knows.  Small numbers stand for what programs ask about most: 0, 1, -1, the largest, the
 * smallest, then 2, -2, 3, ...: whoever tries only the first few tries these.  Numbers from 2^31 on are spread over all bits of a wide type. */
static uint64_t value_of(uint32_t number, unsigned bytes)
{
	uint64_t top = 1ull << (8 * bytes - 1), small = number < 3 ? number : number - 2;
	if (number == 3 || number == 4)
		return number == 3 ? top - 1 : top;
	if (bytes > 4 && number >> 31)
		return number * 0x9e3779b97f4a7c15ull;
	return small & 1 ? small / 2 + 1 : 0 - small / 2;
}

/* One of all values of a type: up to 256 of them are all tried by a check, of more only some. */
static uint64_t any_value(unsigned bytes, uint64_t pc)
{
	return bytes == 1 ? chosen(256, pc) : value_of(chosen(UINT32_MAX, pc), bytes);
}

#define NONDET(name, type) \
	type __VERIFIER_nondet_##name(void); \
	SAYS type __VERIFIER_nondet_##name(void) \
	{ \
		return (type)any_value(sizeof(type), RT_PC); \
	}
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(size_t, size_t)
NONDET(unsigned_char, unsigned char)
NONDET(unsigned_short, unsigned short)
NONDET(unsigned_long, unsigned long)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(u64, uint64_t)

_Bool __VERIFIER_nondet_bool(void);
SAYS _Bool __VERIFIER_nondet_bool(void)
{
	return chosen(2, RT_PC);
}

void __VERIFIER_assume(int holds);
SAYS void __VERIFIER_assume(int holds)
{
	assumed(holds, RT_PC);
}

void __VERIFIER_atomic_begin(void);
SAYS void __VERIFIER_atomic_begin(void)
{
	unbroken(1, RT_PC);
}

void __VERIFIER_atomic_end(void);
SAYS void __VERIFIER_atomic_end(void)
{
	unbroken(0, RT_PC);
}

_Noreturn void __VERIFIER_error(void);
SAYS _Noreturn void __VERIFIER_error(void)
{
	raddle_say_assert(0, "__VERIFIER_error reached", "", 0);
	abort();
}

_Noreturn void reach_error(void);
SAYS _Noreturn void reach_error(void)
{
	raddle_say_assert(0, "reach_error reached", "", 0);
	abort();
}

/* ---- programs annotated for ThreadSanitizer ---- */

void __tsan_acquire(void *object);
SAYS void __tsan_acquire(void *object)
{
	order_said(object, 0, RT_PC);
}

void __tsan_release(void *object);
SAYS void __tsan_release(void *object)
{
	order_said(object, 1, RT_PC);
}

#define TSAN_READ_LOCK 8u               /* bit of the flags, as in <sanitizer/tsan_interface.h> */
#define TSAN_TRY_FAILED 32u

void __tsan_mutex_create(void *lock, unsigned flags);
SAYS void __tsan_mutex_create(void *lock, unsigned flags)
{
	(void)flags;
	if (rt_on())
		rt_event(EV_LOCKINIT, (uint64_t)lock, (uint64_t)LOCK_USER << 8, rt_version((uint64_t)lock), 0, RT_PC);
}

void __tsan_mutex_destroy(void *lock, unsigned flags);
SAYS void __tsan_mutex_destroy(void *lock, unsigned flags)
{
	(void)flags;
	if (rt_on())
		rt_event(EV_LOCKDEAD, (uint64_t)lock, (uint64_t)LOCK_USER << 8, rt_version((uint64_t)lock), 0, RT_PC);
}

void __tsan_mutex_pre_lock(void *lock, unsigned flags);
SAYS void __tsan_mutex_pre_lock(void *lock, unsigned flags)
{
	(void)lock, (void)flags;
}

void __tsan_mutex_post_lock(void *lock, unsigned flags, int depth);
SAYS void __tsan_mutex_post_lock(void *lock, unsigned flags, int depth)
{
	(void)depth;
	if (!(flags & TSAN_TRY_FAILED))
		lock_said(lock, (flags & TSAN_READ_LOCK) != 0, 1, RT_PC);
}

int __tsan_mutex_pre_unlock(void *lock, unsigned flags);
SAYS int __tsan_mutex_pre_unlock(void *lock, unsigned flags)
{
	lock_said(lock, (flags & TSAN_READ_LOCK) != 0, 0, RT_PC);
	return 0;
}

void __tsan_mutex_post_unlock(void *lock, unsigned flags);
SAYS void __tsan_mutex_post_unlock(void *lock, unsigned flags)
{
	(void)lock, (void)flags;
}
