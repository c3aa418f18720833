/* rt/slots.c -- every recorded thread has a slot in a fixed table: it carries the birth record from creator to child (no allocation on
 * the way), and afterwards answers "whose pthread_t is this?".  Lock-free:
 *   (1) a slot in use has state != 0; owners[i] is its pthread_t as soon as creator or child knows it, whoever is first;
 *   (2) it is given back when three things have happened, in any order, each marked by one bit: the creator is done with
 *       it, the thread has ended, and nobody can name it any more (it was joined or detached);
 *   (3) libc may use a pthread_t again the moment a thread is joined, before its slot is given back: of two slots with
 *       the same pthread_t the one whose owner became known later is meant (uids are given too early to tell).
 * After fork the threads that do not exist in the child are thrown out at the first use of the table. */
#include "rt/slots.h"

#include "rt/segment.h"

#define SLOTS RING_THREADS

static struct slot slots[SLOTS];
static pthread_t owners[SLOTS];               /* 0 unknown; apart from the slots so that a search reads little */
static uint32_t slots_high;                   /* no slot at or above was ever used */
static uint64_t owners_known;                 /* last number given to slot.known */
static uint32_t slots_process;                /* process_index + 1 whose threads these are */

void slot_mark(struct slot *s, uint32_t bits)
{
	uint32_t before = __atomic_fetch_or(&s->state, bits, __ATOMIC_ACQ_REL);
	if (before == SLOT_ALL || (before | bits) != SLOT_ALL)
		return;
	__atomic_store_n(&owners[s - slots], 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->state, 0, __ATOMIC_RELEASE);
}

/* A fork happened since: the only thread there is, is the calling one. */
static void slots_clean(void)
{
	uint32_t mine = process_index + 1;
	if (rt_likely(__atomic_load_n(&slots_process, __ATOMIC_RELAXED) == mine))
		return;
	for (uint32_t i = 0; slots_process && i < slots_high; i++)
		if (owners[i] == pthread_self())
			slots[i].birth.uid = rt_uid();
		else
			owners[i] = 0, slots[i].state = 0;
	__atomic_store_n(&slots_process, mine, __ATOMIC_RELAXED);
}

struct slot *slot_take(void)
{
	slots_clean();
	for (uint32_t i = 0; i < SLOTS; i++) {
		uint32_t free = 0;
		if (__atomic_load_n(&slots[i].state, __ATOMIC_RELAXED) != 0 ||
			!__atomic_compare_exchange_n(&slots[i].state, &free, SLOT_USED, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		uint32_t high = __atomic_load_n(&slots_high, __ATOMIC_RELAXED);
		while (high <= i && !__atomic_compare_exchange_n(&slots_high, &high, i + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			;
		slots[i].rounds = 0;
		slots[i].strand = NULL;
		slots[i].is_named = false;
		slots[i].how = HOW_CANCEL;            /* unless the thread says otherwise on its way out */
		return &slots[i];
	}
	return NULL;
}

void slot_own(struct slot *s, pthread_t thread)
{
	pthread_t unknown = 0;
	__atomic_store_n(&s->known, __atomic_add_fetch(&owners_known, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(&owners[s - slots], &unknown, thread, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

bool slot_is_owned(const struct slot *s)
{
	return __atomic_load_n(&owners[s - slots], __ATOMIC_ACQUIRE) != 0;
}

static bool is_younger(const struct slot *a, const struct slot *b)
{
	return __atomic_load_n(&a->known, __ATOMIC_RELAXED) > __atomic_load_n(&b->known, __ATOMIC_RELAXED);
}

struct slot *slot_of(pthread_t thread)
{
	struct slot *found = NULL;
	slots_clean();
	uint32_t high = __atomic_load_n(&slots_high, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < high; i++)
		if (__atomic_load_n(&owners[i], __ATOMIC_ACQUIRE) == thread && (!found || is_younger(&slots[i], found)))
			found = &slots[i];
	return found;
}

uint32_t thread_uid(pthread_t thread)
{
	return slot_uid(slot_of(thread));
}

struct strand *thread_strand(pthread_t thread)
{
	struct slot *s = slot_of(thread);
	return s ? s->strand : NULL;
}
