/* rt/stripe.c -- operation and number of an atomic are one step, whatever interrupts them.
 *
 * The stripe is held for a handful of instructions.  A signal handler may land among them, perform atomics of the same stripe,
 * wait for a thread that does, or never come back.  So whoever enters a handler gives the stripe back first: an operation that
 * took effect is numbered and noted on its behalf, one that did not is made to start again; the instruction pointer says which,
 * since every operation that writes is one compare-exchange between labels (swap.S).
 * A thread that finds a stripe its own was cancelled in the middle of an operation it never went on with: it just has it. */
#include "rt/stripe.h"

#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/sys.h"

#define YIELD_EVERY 64
#define SLEEP_AFTER 4096        /* the one who holds it may have a lower priority than all who yield */

struct stripe stripes[VERSION_STRIPES];
__thread struct stripe_use stripe_use;

#define SWAPS(X) X(1) X(2) X(4) X(8) X(16)
#define X(n) \
	unsigned swap_##n(void *at, uint64_t found[], const uint64_t value[], uint32_t *phase); \
	extern const char swap_##n##_check[], swap_##n##_after[], swap_##n##_stored[], swap_##n##_said[];
SWAPS(X)
#undef X

static void set_phase(uint32_t phase)
{
	__atomic_store_n(&stripe_use.phase, phase, __ATOMIC_RELAXED);
}

static uint32_t phase_now(void)
{
	return __atomic_load_n(&stripe_use.phase, __ATOMIC_RELAXED);
}

static void wait_a_little(unsigned spins)
{
	struct timespec little = { .tv_nsec = 50000 };
	if (spins % YIELD_EVERY != YIELD_EVERY - 1)
		__builtin_ia32_pause();
	else if (spins < SLEEP_AFTER)
		sys3(SYS_sched_yield, 0, 0, 0);
	else
		sys3(SYS_nanosleep, (long)&little, 0, 0);
}

void stripe_begin(struct stripe *stripe)
{
	uint64_t self = (uint64_t)raddle_tls.area->thread << 32;
	stripe_use.stripe = NULL;
	set_phase(STRIPE_LOCKED);
	for (unsigned spins = 0;; spins++) {
		uint64_t seq = __atomic_load_n(&stripe->seq, __ATOMIC_RELAXED);
		bool free = !(seq & 1), abandoned = seq == (self | (uint32_t)seq);
		stripe_use.mine = free ? self | (uint32_t)(seq + 1) : seq;
		__atomic_store_n(&stripe_use.stripe, stripe, __ATOMIC_RELEASE);
		if ((free && __atomic_compare_exchange_n(&stripe->seq, &seq, stripe_use.mine, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) ||
			(!free && abandoned))
			return;
		__atomic_store_n(&stripe_use.stripe, NULL, __ATOMIC_RELEASE);
		wait_a_little(spins);
	}
}

/* Free again, unless it is no longer ours. */
static void give_back(struct stripe *stripe, uint64_t mine)
{
	__atomic_compare_exchange_n(&stripe->seq, &mine, (uint64_t)(uint32_t)(mine + 1), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* LOCKED -> DONE, for what only read; false: broken. */
static bool done(void)
{
	uint32_t locked = STRIPE_LOCKED;
	__atomic_compare_exchange_n(&stripe_use.phase, &locked, STRIPE_DONE, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return phase_now() != STRIPE_BROKEN;
}

bool stripe_end(void)
{
	if (!done())
		return false;
	if (phase_now() == STRIPE_DONE)          /* the number first: who comes now and finds the stripe ours gives another */
		__atomic_store_n(&stripe_use.version, 2 * __atomic_add_fetch(&stripe_use.stripe->count, 1, __ATOMIC_SEQ_CST), __ATOMIC_RELAXED);
	give_back(stripe_use.stripe, stripe_use.mine);
	return true;
}

uint64_t stripe_look(struct stripe *stripe)
{
	stripe_use.stripe = NULL;
	set_phase(STRIPE_LOCKED);
	stripe_use.mine = STRIPE_NOT_TAKEN;
	__atomic_store_n(&stripe_use.stripe, stripe, __ATOMIC_RELEASE);
	uint64_t seq = __atomic_load_n(&stripe->seq, __ATOMIC_SEQ_CST);
	stripe_use.version = 2 * __atomic_load_n(&stripe->count, __ATOMIC_SEQ_CST) + 1;
	return seq;
}

bool stripe_looked(uint64_t look)
{
	const struct stripe *stripe = stripe_use.stripe;
	return !(look & 1) && 2 * __atomic_load_n(&stripe->count, __ATOMIC_SEQ_CST) + 1 == stripe_use.version &&
		__atomic_load_n(&stripe->seq, __ATOMIC_SEQ_CST) == look && done();
}

/* ---- its record ---- */

static uint64_t *write_record(uint64_t *at)
{
	const struct stripe_use *u = &stripe_use;
	bool hide = ring->no_values;
	uint64_t flags = (u->wide ? RECORD_PAYLOAD : 0) | (u->failed ? RECORD_FAILED : 0);
	at[1] = hide ? 0 : u->found[0];
	at[2] = u->version;
	at[3] = hide ? 0 : u->value[0];
	at[4] = (u->wide ? 16ull << 48 : 0) | ((uint64_t)u->site & RECORD_ADDRESS_MASK);
	uint64_t *end = at + RECORD_WORDS + (u->wide ? 2 : 0);
	if (u->wide) {
		at[5] = hide ? 0 : u->found[1];
		at[6] = hide ? 0 : u->value[1];
	}
	*end = 0;
	__atomic_store_n(at, RECORD_CONTROL | flags << 56 | (uint64_t)u->kind << 48 | ((uint64_t)u->address & RECORD_ADDRESS_MASK),
		__ATOMIC_RELEASE);
	return end;
}

/* Written twice at the same place, it is the same record. */
void stripe_note(void)
{
	if (ring_keeps()) {
		uint64_t *at = (uint64_t *)segment_room();
		__atomic_store_n(&stripe_use.record, at, __ATOMIC_RELEASE);
		if (phase_now() == STRIPE_DONE)
			__atomic_store_n(&raddle_tls.cursor, (uint64_t)write_record(at), __ATOMIC_RELEASE);
	}
	__atomic_store_n(&stripe_use.stripe, NULL, __ATOMIC_RELEASE);
	stripe_use.record = NULL;
}

/* On behalf of code that was interrupted before it could, or in the middle of it. */
static void note_now(void)
{
	uint64_t cursor = raddle_tls.cursor, *begun = __atomic_load_n(&stripe_use.record, __ATOMIC_ACQUIRE);
	if (!ring_keeps() || (cursor & (SEGMENT_BYTES - 1)) >= SEGMENT_LIMIT)
		return;                          /* it is just getting room: what it writes will stand behind the handler */
	if (!begun || (uint64_t)begun == cursor)
		raddle_tls.cursor = (uint64_t)write_record((uint64_t *)cursor);
	set_phase(STRIPE_NOTED);
}

unsigned stripe_swap(uint32_t *phase, unsigned size, void *at, uint64_t found[], const uint64_t value[])
{
	switch (size) {
#define X(n) case n: return swap_##n(at, found, value, phase);
	SWAPS(X)
#undef X
	default: return 0;
	}
}

/* Had the operation at this instruction taken effect?  Moves on to where that is known to the interrupted code as well. */
static bool took_effect(greg_t *registers)
{
	uint64_t at = (uint64_t)registers[REG_RIP];
	bool zero = registers[REG_EFL] & 0x40;
#define X(n) \
	if (at == (uint64_t)swap_##n##_stored || (at == (uint64_t)swap_##n##_after && zero)) { \
		registers[REG_RIP] = (greg_t)swap_##n##_said; \
		return true; \
	} \
	if (at >= (uint64_t)swap_##n##_check && at < (uint64_t)swap_##n##_after) \
		registers[REG_RIP] = (greg_t)swap_##n##_check;
	SWAPS(X)
#undef X
	return false;
}

void stripe_interrupted(struct stripe_use *save, ucontext_t *context)
{
	struct stripe *stripe = __atomic_load_n(&stripe_use.stripe, __ATOMIC_ACQUIRE);
	bool ours = stripe && __atomic_load_n(&stripe->seq, __ATOMIC_RELAXED) == stripe_use.mine;
	if (ours && phase_now() == STRIPE_LOCKED && took_effect(context->uc_mcontext.gregs))
		set_phase(STRIPE_DONE);
	if (ours && phase_now() == STRIPE_DONE)
		stripe_use.version = 2 * __atomic_add_fetch(&stripe->count, 1, __ATOMIC_SEQ_CST);
	if (stripe && phase_now() == STRIPE_LOCKED)
		set_phase(STRIPE_BROKEN);
	if (ours)
		give_back(stripe, stripe_use.mine);
	if (stripe && phase_now() == STRIPE_DONE)
		note_now();
	*save = stripe_use;
	stripe_use.stripe = NULL;
	stripe_use.record = NULL;
}

void stripe_resumed(const struct stripe_use *saved)
{
	if (saved)
		stripe_use = *saved;
	else
		stripe_use.stripe = NULL, stripe_use.record = NULL;
}
