/* rt/barrier.c -- barriers, with the generation each arrival belongs to.
 *
 * Arrivals of one barrier are numbered; number n belongs to generation n / count.  So that this is also the generation in
 * which libc lets the thread go, even when more threads than `count` use the barrier:
 *   (1) a thread of generation g arrives at the real barrier only after somebody of generation g-1 has left it, which
 *       means that all of g-1 have arrived.  Nobody is held up who would not wait anyway; with no more threads than
 *       `count` the gate is always open;
 *   (2) a barrier's entry stays its own until the last thread that left has let go of it, although the program may
 *       destroy the barrier, and make another in its place, while slow leavers are still on their way.
 * Barriers shared with other processes: numbers count this process's arrivals only.
 * No room in the table: generation 0 for all, no gate.
 * In a steered run libc's barrier is not asked: whoever arrives last lets the others go, and which of them is told to be the
 * serial thread is the scheduler's choice (as a rule the last). */
#include "rt/effect.h"
#include "rt/steer.h"
#include "rt/sync.h"
#include "rt/sys.h"

#define ARG ((uint64_t)LOCK_BARRIER << 8)
#define ENTRIES 1024u
#define DESTROYED 1u                           /* no barrier has this address */
#define COUNT_AT 2                             /* glibc: the third word of a barrier is its count */

struct entry {
	uint64_t address;                      /* 0 never used, DESTROYED free again once users == 0 */
	uint64_t arrived;
	uint32_t count;
	uint32_t users;                        /* threads between arrival and leaving */
	uint32_t completed;                    /* generations known to be complete; futex */
	uint32_t at_gate;
};

static struct entry entries[ENTRIES];

static uint32_t first_place(uint64_t address)
{
	return (uint32_t)((address >> 3) * 0x9e3779b97f4a7c15ull >> 54) % ENTRIES;
}

static struct entry *entry_find(uint64_t address)
{
	for (uint32_t i = 0; i < ENTRIES; i++) {
		struct entry *e = &entries[(first_place(address) + i) % ENTRIES];
		uint64_t there = __atomic_load_n(&e->address, __ATOMIC_ACQUIRE);
		if (there == address)
			return e;
		if (there == 0)
			break;
	}
	return NULL;
}

static bool entry_claim(struct entry *e, uint64_t address)
{
	uint64_t there = __atomic_load_n(&e->address, __ATOMIC_ACQUIRE);
	if (there > DESTROYED || (there == DESTROYED && __atomic_load_n(&e->users, __ATOMIC_ACQUIRE) != 0))
		return false;
	return __atomic_compare_exchange_n(&e->address, &there, address, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Called where one thread alone has the barrier: when it is made.  (Or, for one made before recording began, at a wait.) */
static struct entry *entry_make(uint64_t address, uint32_t count)
{
	for (uint32_t i = 0; i < ENTRIES; i++) {
		struct entry *e = &entries[(first_place(address) + i) % ENTRIES];
		if (!entry_claim(e, address))
			continue;
		e->arrived = 0;
		e->completed = 0;
		__atomic_store_n(&e->count, count, __ATOMIC_RELEASE);
		return e;
	}
	return NULL;
}

static void entry_drop(uint64_t address)
{
	struct entry *e = entry_find(address);
	if (e)
		__atomic_store_n(&e->address, DESTROYED, __ATOMIC_RELEASE);
}

static void pass_gate(struct entry *e, uint32_t generation)
{
	uint32_t completed;
	while ((int32_t)((completed = __atomic_load_n(&e->completed, __ATOMIC_SEQ_CST)) - generation) < 0) {
		__atomic_fetch_add(&e->at_gate, 1, __ATOMIC_SEQ_CST);
		sys_futex_wait(&e->completed, completed, NULL);
		__atomic_fetch_sub(&e->at_gate, 1, __ATOMIC_SEQ_CST);
	}
}

static void complete(struct entry *e, uint32_t generation)
{
	uint32_t completed = __atomic_load_n(&e->completed, __ATOMIC_RELAXED);
	while ((int32_t)(completed - generation) <= 0)
		if (__atomic_compare_exchange_n(&e->completed, &completed, generation + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
			if (__atomic_load_n(&e->at_gate, __ATOMIC_SEQ_CST))
				sys_futex_wake(&e->completed, INT32_MAX);
			break;
		}
	__atomic_fetch_sub(&e->users, 1, __ATOMIC_RELEASE);
}

static int wait_known(struct entry *e, pthread_barrier_t *b, uint64_t pc)
{
	__atomic_fetch_add(&e->users, 1, __ATOMIC_ACQ_REL);
	uint64_t number = __atomic_fetch_add(&e->arrived, 1, __ATOMIC_ACQ_REL);
	uint64_t generation = number / e->count;
	bool last = number % e->count == e->count - 1;
	if (!last)
		rt_wait_begin(EV_BLEAVE, AS_OBJECT(b), pc);
	pass_gate(e, (uint32_t)generation);
	rt_event(EV_BENTER, AS_OBJECT(b), generation, rt_version(AS_OBJECT(b)), 0, pc);
	int result = REAL(pthread_barrier_wait)(b);
	if (!last)
		rt_wait_end();
	rt_event(EV_BLEAVE, AS_OBJECT(b), generation, rt_version(AS_OBJECT(b)), result, pc);
	complete(e, (uint32_t)generation);
	return result;
}

/* ---- steered ---- */

static uint32_t ways_to_leave(const struct strand *s)
{
	return s->waits_at ? 0 : WAY_GO;
}

/* Everybody has come.  The serial one is this thread (0) or one of those who wait. */
static int let_all_go(uint64_t barrier, uint32_t count)
{
	uint32_t serial = steer_choose(count);
	struct strand *told = serial ? steer_wake_one(barrier, WAITS_FOR_ANY, serial - 1) : NULL;
	if (told)
		told->is_serial = true;
	while (steer_wake_one(barrier, WAITS_FOR_ANY, 0))
		;
	return told ? 0 : PTHREAD_BARRIER_SERIAL_THREAD;
}

static int steered_wait(struct entry *e, pthread_barrier_t *b, uint64_t pc)
{
	uint64_t object = AS_OBJECT(b);
	steer_point(EV_BENTER, object, pc);
	uint64_t number = e->arrived++, generation = number / e->count;
	int result;
	rt_event(EV_BENTER, object, generation, rt_version(object), 0, pc);
	if (number % e->count == e->count - 1) {
		result = let_all_go(object, e->count);
	} else {
		struct steer_ask ask = { .kind = EV_BLEAVE, .object = object, .place = pc, .ways = ways_to_leave };
		own_strand->is_serial = false;
		steer_wait_at(object, WAITS_FOR_ANY);
		steer_stop(&ask);
		result = own_strand->is_serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
	}
	rt_event(EV_BLEAVE, object, generation, rt_version(object), result, pc);
	return result;
}

INTERPOSE(int, pthread_barrier_wait, (pthread_barrier_t *b))
{
	if (!rt_on())
		return REAL(pthread_barrier_wait)(b);
	struct entry *e = entry_find(AS_OBJECT(b));
	uint32_t count = ((const uint32_t *)b)[COUNT_AT];
	if (!e && count)
		e = entry_make(AS_OBJECT(b), count);
	if (rt_steered() && !e)
		steer_give_up(OUTCOME_UNSUPPORTED, count ? "more than 1024 barriers at once" : "a barrier that was not initialised");
	if (e)
		return rt_steered() ? steered_wait(e, b, RT_PC) : wait_known(e, b, RT_PC);
	rt_wait_begin(EV_BLEAVE, AS_OBJECT(b), RT_PC);
	rt_event(EV_BENTER, AS_OBJECT(b), 0, rt_version(AS_OBJECT(b)), 0, RT_PC);
	int result = REAL(pthread_barrier_wait)(b);
	rt_wait_end();
	rt_event(EV_BLEAVE, AS_OBJECT(b), 0, rt_version(AS_OBJECT(b)), result, RT_PC);
	return result;
}

static void note_life(enum event_kind kind, pthread_barrier_t *b, int result, uint64_t pc)
{
	rt_event(kind, AS_OBJECT(b), ARG, result ? 0 : rt_version(AS_OBJECT(b)), result, pc);
}

INTERPOSE(int, pthread_barrier_init, (pthread_barrier_t *restrict b, const pthread_barrierattr_t *restrict attr, unsigned count))
{
	steer_point_keeps(EV_LOCKINIT, AS_OBJECT(b), RT_PC, true);
	int result = REAL(pthread_barrier_init)(b, attr, count);
	if (!rt_on())
		return result;
	if (result == 0) {
		entry_drop(AS_OBJECT(b));
		entry_make(AS_OBJECT(b), count);
	}
	note_life(EV_LOCKINIT, b, result, RT_PC);
	if (result == 0)
		effect_result(b, sizeof *b, RT_PC);              /* its third word is the count: readers take it from there */
	return result;
}

INTERPOSE(int, pthread_barrier_destroy, (pthread_barrier_t *b))
{
	steer_point(EV_LOCKDEAD, AS_OBJECT(b), RT_PC);
	int result = REAL(pthread_barrier_destroy)(b);
	if (!rt_on())
		return result;
	if (result == 0)
		entry_drop(AS_OBJECT(b));
	note_life(EV_LOCKDEAD, b, result, RT_PC);
	return result;
}
