/* rt/guard.c -- static local variables of C++: the functions compilers call around their initialisation.
 * Recorded as once.c does: ONCERUN when this thread is to initialise, ONCE with arg 1 before the variable is published,
 * ONCE with arg 0 by a thread that found it done.  An initialiser that throws: ONCE with arg 1 and ECANCELED.
 * Apart from once.c because in a static program only C++ has these names. */
#include "rt/sync.h"

int  __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);

/* Byte 0: initialised.  Byte 1: somebody is at it (so both C++ runtimes of today have it). */
static bool is_busy(const uint64_t *guard)
{
	return __atomic_load_n((const uint8_t *)guard + 1, __ATOMIC_RELAXED) != 0;
}

INTERPOSE(int, __cxa_guard_acquire, (uint64_t *guard))
{
	if (!rt_on())
		return REAL(__cxa_guard_acquire)(guard);
	bool waits = is_busy(guard);
	if (waits)
		rt_wait_begin(EV_ONCE, AS_OBJECT(guard), RT_PC);
	int mine = REAL(__cxa_guard_acquire)(guard);
	if (waits)
		rt_wait_end();
	rt_event(mine ? EV_ONCERUN : EV_ONCE, AS_OBJECT(guard), 0, rt_version(AS_OBJECT(guard)), 0, RT_PC);
	return mine;
}

INTERPOSE(void, __cxa_guard_release, (uint64_t *guard))
{
	if (rt_on())
		rt_event(EV_ONCE, AS_OBJECT(guard), 1, rt_version(AS_OBJECT(guard)), 0, RT_PC);
	REAL(__cxa_guard_release)(guard);
}

INTERPOSE(void, __cxa_guard_abort, (uint64_t *guard))
{
	if (rt_on())
		rt_event(EV_ONCE, AS_OBJECT(guard), 1, rt_version(AS_OBJECT(guard)), ECANCELED, RT_PC);
	REAL(__cxa_guard_abort)(guard);
}
