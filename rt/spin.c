/* rt/spin.c -- spin locks: as mutexes, without owners and without sleep. */
#include "rt/buffer.h"
#include "rt/steer.h"
#include "rt/sync.h"

#define ARG ((uint64_t)LOCK_SPIN << 8 | LOCK_FOR_WRITING)
#define IS_FREE 1               /* glibc on x86 */

static int note_answer(pthread_spinlock_t *l, uint64_t tried, int result, uint64_t pc)
{
	if (result == 0) {
		rt_event(EV_LOCK, AS_OBJECT(l), ARG | tried, rt_version(AS_OBJECT(l)), 0, pc);
		rt_held_push(AS_OBJECT(l));
	} else
		rt_event(EV_TRYFAIL, AS_OBJECT(l), ARG, 0, result, pc);
	return result;
}

static uint32_t ways_to_lock(const struct strand *s)
{
	return *(const pthread_spinlock_t *)s->ask.first == IS_FREE ? WAY_GO : 0;
}

/* glibc's unlock and init are one plain store, which waits in the buffer: to the others the lock is taken until it leaves.  False: no store waits in this run. */
static bool set_free(pthread_spinlock_t *l)
{
	if (rt_likely(!buffers_on) || !rt_steered())
		return false;
	buffer_store_lock((void *)l, IS_FREE, sizeof *l);
	return true;
}

INTERPOSE(int, pthread_spin_lock, (pthread_spinlock_t *l))
{
	if (!rt_on())
		return REAL(pthread_spin_lock)(l);
	struct steer_ask ask = { .kind = EV_LOCK, .object = AS_OBJECT(l), .place = RT_PC, .ways = ways_to_lock, .first = (const void *)l };
	steer_point_until(&ask);
	int result = REAL(pthread_spin_trylock)(l);
	if (result != 0) {
		rt_wait_begin(EV_LOCK, AS_OBJECT(l), RT_PC);
		result = REAL(pthread_spin_lock)(l);
		rt_wait_end();
	}
	return note_answer(l, 0, result, RT_PC);
}

INTERPOSE(int, pthread_spin_trylock, (pthread_spinlock_t *l))
{
	if (!rt_on())
		return REAL(pthread_spin_trylock)(l);
	steer_point(EV_LOCK, AS_OBJECT(l), RT_PC);
	return steer_tried(note_answer(l, LOCK_TRIED, REAL(pthread_spin_trylock)(l), RT_PC));
}

INTERPOSE(int, pthread_spin_unlock, (pthread_spinlock_t *l))
{
	steer_point_keeps(EV_UNLOCK, AS_OBJECT(l), RT_PC, true);
	if (rt_on()) {
		rt_held_pop(AS_OBJECT(l));
		rt_event(EV_UNLOCK, AS_OBJECT(l), ARG, rt_version(AS_OBJECT(l)), 0, RT_PC);
	}
	return set_free(l) ? 0 : REAL(pthread_spin_unlock)(l);
}

static int note_life(enum event_kind kind, pthread_spinlock_t *l, int result, uint64_t pc)
{
	rt_event(kind, AS_OBJECT(l), ARG, result ? 0 : rt_version(AS_OBJECT(l)), result, pc);
	return result;
}

INTERPOSE(int, pthread_spin_init, (pthread_spinlock_t *l, int shared))
{
	if (!rt_on())
		return REAL(pthread_spin_init)(l, shared);
	steer_point_keeps(EV_LOCKINIT, AS_OBJECT(l), RT_PC, true);
	return note_life(EV_LOCKINIT, l, set_free(l) ? 0 : REAL(pthread_spin_init)(l, shared), RT_PC);
}

INTERPOSE(int, pthread_spin_destroy, (pthread_spinlock_t *l))
{
	if (!rt_on())
		return REAL(pthread_spin_destroy)(l);
	steer_point_keeps(EV_LOCKDEAD, AS_OBJECT(l), RT_PC, true);
	return note_life(EV_LOCKDEAD, l, REAL(pthread_spin_destroy)(l), RT_PC);
}
