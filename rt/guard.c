/* rt/guard.c -- static local variables of C++: the functions compilers call around their initialisation.
 * Recorded as once.c does: ONCERUN when this thread is to initialise, ONCE with arg 1 before the variable is published,
 * ONCE with arg 0 by a thread that found it done.  An initialiser that throws: ONCE with arg 1 and ECANCELED.
 *
 * A guard is 64 bits; the compiler looks at byte 0 (1: initialised) without calling, but not in code built with raddle while anybody records or
 * steers (cc/atomic.c): all who pass come here.  Byte 1 is not 0 while somebody is at
 * it (so both C++ runtimes of today have it). */
#include "rt/buffer.h"
#include "rt/steer.h"
#include "rt/sync.h"
#include "rt/sys.h"
#include "rt/words.h"

int  __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);

/* A static C program has no such functions and may not be made to need any; a static C++ program gets these, and so does one whose
 * library of C++ alone is static.  Bits as in both C++ runtimes. */
enum { DONE = 1, BUSY = 1 << 8, SLEEPERS = 1 << 16 };

static int own_acquire(uint64_t *guard)
{
	uint32_t *word = (uint32_t *)guard;
	for (;;) {
		uint32_t now = 0;
		if (__atomic_compare_exchange_n(word, &now, BUSY, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return 1;
		if (now & DONE)
			return 0;
		if ((now & SLEEPERS) ||
			__atomic_compare_exchange_n(word, &now, BUSY | SLEEPERS, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			sys_futex_wait(word, BUSY | SLEEPERS, NULL);
	}
}

static void leave(uint64_t *guard, uint32_t state)
{
	uint32_t *word = (uint32_t *)guard;
	if (__atomic_exchange_n(word, state, __ATOMIC_ACQ_REL) & SLEEPERS)
		sys_futex_wake(word, INT32_MAX);
}

static void own_release(uint64_t *guard) { leave(guard, DONE); }
static void own_abort(uint64_t *guard)   { leave(guard, 0); }

#ifdef RADDLE_STATIC
static int  real_acquire(uint64_t *guard) { return own_acquire(guard); }
static void real_release(uint64_t *guard) { own_release(guard); }
static void real_abort(uint64_t *guard)   { own_abort(guard); }
#else
void *guard_stand_in(const char *name)
{
	return words_same(name, "__cxa_guard_acquire") ? (void *)own_acquire : words_same(name, "__cxa_guard_release") ? (void *)own_release :
		words_same(name, "__cxa_guard_abort") ? (void *)own_abort : NULL;
}

static int  real_acquire(uint64_t *guard) { return REAL(__cxa_guard_acquire)(guard); }
static void real_release(uint64_t *guard) { REAL(__cxa_guard_release)(guard); }
static void real_abort(uint64_t *guard)   { REAL(__cxa_guard_abort)(guard); }
#endif

static bool is_busy(const uint64_t *guard)
{
	return __atomic_load_n((const uint8_t *)guard + 1, __ATOMIC_RELAXED) != 0;
}

static bool is_done(const uint64_t *guard)
{
	return __atomic_load_n((const uint8_t *)guard, __ATOMIC_RELAXED) != 0;
}

static uint32_t ways_to_acquire(const struct strand *s)
{
	return is_busy(s->ask.first) ? 0 : WAY_GO;
}

INTERPOSE(int, __cxa_guard_acquire, (uint64_t *guard))
{
	if (!rt_on())
		return real_acquire(guard);
	struct steer_ask ask = { .kind = EV_ONCE, .object = AS_OBJECT(guard), .place = RT_PC, .ways = ways_to_acquire, .first = guard, .keeps = true };
	steer_point_until(&ask);
	if (rt_steered() && !is_done(guard))    /* else it only looks */
		buffer_drain();
	bool waits = is_busy(guard);
	if (waits)
		rt_wait_begin(EV_ONCE, AS_OBJECT(guard), RT_PC);
	int mine = real_acquire(guard);
	if (waits)
		rt_wait_end();
	rt_event(mine ? EV_ONCERUN : EV_ONCE, AS_OBJECT(guard), 0, rt_version(AS_OBJECT(guard)), 0, RT_PC);
	return mine;
}

INTERPOSE(void, __cxa_guard_release, (uint64_t *guard))
{
	steer_point(EV_ONCE, AS_OBJECT(guard), RT_PC);
	if (rt_on())
		rt_event(EV_ONCE, AS_OBJECT(guard), 1, rt_version(AS_OBJECT(guard)), 0, RT_PC);
	real_release(guard);
}

INTERPOSE(void, __cxa_guard_abort, (uint64_t *guard))
{
	steer_point(EV_ONCE, AS_OBJECT(guard), RT_PC);
	if (rt_on())
		rt_event(EV_ONCE, AS_OBJECT(guard), 1, rt_version(AS_OBJECT(guard)), ECANCELED, RT_PC);
	real_abort(guard);
}
