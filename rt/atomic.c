/* rt/atomic.c -- atomic operations of a recorded program: performed here, numbered in the order they took effect.
 *
 * An operation that may write runs with its stripe's seq odd, so that operation and number are one step; a load takes no
 * lock: it is exact when seq was the same even number before and after, and tries again otherwise.  A signal handler that
 * lands inside the few instructions with seq odd performs its operation unnumbered (version 0: not ordered).
 * All operations are carried out sequentially consistent: never weaker than what the program asked for; the order it asked
 * for stands in the site. */
#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/steer.h"
#include "rt/stripe.h"
#include "rt/sys.h"
#include "wire/hooks.h"

#define LOAD_TRIES 64

#define BY_SIZE(size, expression) ({ uint64_t r_; switch (size) { \
	case 1: { typedef uint8_t T; r_ = (uint64_t)(expression); break; } \
	case 2: { typedef uint16_t T; r_ = (uint64_t)(expression); break; } \
	case 4: { typedef uint32_t T; r_ = (uint64_t)(expression); break; } \
	default: { typedef uint64_t T; r_ = (uint64_t)(expression); break; } } r_; })

static inline uint64_t load(void *at, unsigned size)
{
	return BY_SIZE(size, __atomic_load_n((T *)at, __ATOMIC_SEQ_CST));
}

static inline uint64_t exchange(void *at, uint64_t value, unsigned size)
{
	return BY_SIZE(size, __atomic_exchange_n((T *)at, (T)value, __ATOMIC_SEQ_CST));
}

/* The value found; *swapped says whether it was the expected one. */
static inline uint64_t compare_exchange(void *at, uint64_t expected, uint64_t value, unsigned size, bool *swapped)
{
	return BY_SIZE(size, ({ T found_ = (T)expected;
		*swapped = __atomic_compare_exchange_n((T *)at, &found_, (T)value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		found_; }));
}

static inline int64_t as_signed(uint64_t value, unsigned size)
{
	unsigned shift = 64 - 8 * size;
	return (int64_t)(value << shift) >> shift;
}

/* What the operation makes of the old value. */
static uint64_t combine(enum atomic_op op, uint64_t old, uint64_t operand, unsigned size)
{
	switch (op) {
	case AOP_ADD:  return old + operand;
	case AOP_SUB:  return old - operand;
	case AOP_AND:  return old & operand;
	case AOP_NAND: return ~(old & operand);
	case AOP_OR:   return old | operand;
	case AOP_XOR:  return old ^ operand;
	case AOP_MAX:  return as_signed(old, size) > as_signed(operand, size) ? old : operand;
	case AOP_MIN:  return as_signed(old, size) < as_signed(operand, size) ? old : operand;
	case AOP_UMAX: return old > operand ? old : operand;
	case AOP_UMIN: return old < operand ? old : operand;
	case AOP_UINC_WRAP: return old >= operand ? 0 : old + 1;
	case AOP_UDEC_WRAP: return old == 0 || old > operand ? operand : old - 1;
	default:       return operand;
	}
}

static inline uint64_t cut(uint64_t value, unsigned size)
{
	return size >= 8 ? value : value & ((1ull << 8 * size) - 1);
}

/* Performs any operation; *written is the value now stored, *failed a compare-exchange that did not. */
static uint64_t perform(void *at, uint64_t operand, uint64_t expected, uint32_t how, uint64_t *written, bool *failed)
{
	unsigned size = HOW_SIZE(how);
	enum atomic_op op = HOW_OP(how);
	bool swapped = true;
	uint64_t old;
	*failed = false;
	*written = cut(operand, size);
	switch (op) {
	case AOP_LOAD:
		return *written = load(at, size);
	case AOP_STORE:
	case AOP_XCHG:
		return exchange(at, operand, size);
	case AOP_CAS:
		old = compare_exchange(at, expected, operand, size, &swapped);
		*failed = !swapped;
		return old;
	default:
		old = load(at, size);
		do {
			expected = old;
			*written = cut(combine(op, old, cut(operand, size), size), size);
			old = compare_exchange(at, expected, *written, size, &swapped);
		} while (!swapped);
		return old;
	}
}

static enum event_kind kind_of(enum atomic_op op)
{
	switch (op) {
	case AOP_LOAD:  return EV_ALOAD;
	case AOP_STORE: return EV_ASTORE;
	case AOP_CAS:   return EV_CAS;
	case AOP_FENCE: return EV_FENCE;
	default:        return EV_RMW;
	}
}

static void note(enum event_kind kind, const void *address, uint64_t read, uint64_t version, uint64_t written, bool failed,
	const void *site)
{
	if (!ring_keeps())
		return;
	uint64_t *at = (uint64_t *)segment_room();
	bool hide = ring && ring->no_values;
	at[1] = hide ? 0 : read;
	at[2] = version;
	at[3] = hide ? 0 : written;
	at[4] = (uint64_t)site & RECORD_ADDRESS_MASK;
	__atomic_store_n(at, RECORD_CONTROL | (failed ? (uint64_t)RECORD_FAILED << 56 : 0) | (uint64_t)kind << 48 |
		((uint64_t)address & RECORD_ADDRESS_MASK), __ATOMIC_RELEASE);
	raddle_tls.cursor = (uint64_t)(at + RECORD_WORDS);
}

static void stripe_lock(struct stripe *stripe)
{
	for (unsigned spins = 0;; spins++) {
		uint32_t seq = __atomic_load_n(&stripe->seq, __ATOMIC_RELAXED);
		if (!(seq & 1) &&
			__atomic_compare_exchange_n(&stripe->seq, &seq, seq + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			return;
		if (spins % 64 == 63)
			sys3(SYS_sched_yield, 0, 0, 0);
		else
			__builtin_ia32_pause();
	}
}

static void stripe_unlock(struct stripe *stripe)
{
	__atomic_fetch_add(&stripe->seq, 1, __ATOMIC_SEQ_CST);
}

/* Exact without writing shared memory, unless the stripe is busy all the time. */
static bool quiet_load(struct stripe *stripe, void *address, unsigned size, uint64_t *value, uint64_t *version)
{
	for (unsigned i = 0; i < LOAD_TRIES; i++) {
		uint32_t seq = __atomic_load_n(&stripe->seq, __ATOMIC_SEQ_CST);
		uint64_t count = __atomic_load_n(&stripe->count, __ATOMIC_SEQ_CST);
		*value = load(address, size);
		if (!(seq & 1) && __atomic_load_n(&stripe->count, __ATOMIC_SEQ_CST) == count &&
			__atomic_load_n(&stripe->seq, __ATOMIC_SEQ_CST) == seq) {
			*version = 2 * count + 1;
			return true;
		}
		__builtin_ia32_pause();
	}
	return false;
}

RT_EXPORT uint64_t raddle_atomic(void *address, uint64_t operand, uint64_t expected, uint32_t how, const void *site)
{
	struct stripe *stripe = &stripes[stripe_of((uint64_t)address)];
	enum event_kind kind = kind_of(HOW_OP(how));
	uint64_t written, version, old;
	bool failed;
	if (!rt_on()) {
		old = perform(address, operand, expected, how, &written, &failed);
		if (raddle_tls.mode != MODE_OFF)
			note(kind, address, old, 0, written, failed, site);
		return old;
	}
	if (rt_steered()) {
		steer_point_access(kind, address, how >> 8 & 0xff, site);
		old = perform(address, operand, expected, how, &written, &failed);
		if (failed || (kind != EV_ALOAD && written == old))
			steer_unchanged();
		note(kind, address, old, rt_version((uint64_t)address), written, failed, site);
		return old;
	}
	if (HOW_OP(how) == AOP_LOAD && quiet_load(stripe, address, HOW_SIZE(how), &old, &version)) {
		note(EV_ALOAD, address, old, version, old, false, site);
		return old;
	}
	rt_enter();
	stripe_lock(stripe);
	old = perform(address, operand, expected, how, &written, &failed);
	version = 2 * __atomic_add_fetch(&stripe->count, 1, __ATOMIC_SEQ_CST);
	stripe_unlock(stripe);
	rt_leave();
	note(kind, address, old, version, written, failed, site);
	return old;
}

RT_EXPORT void raddle_fence(uint32_t how, const void *site)
{
	steer_point(EV_FENCE, 0, (uint64_t)site);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (rt_on())
		note(EV_FENCE, NULL, HOW_ORDER(how), rt_steered() ? rt_version(0) : 0, 0, false, site);
}

RT_EXPORT void raddle_wide_begin(void *address, uint32_t how, const void *site)
{
	(void)how, (void)site;
	if (!rt_on())
		return;
	rt_enter();
	stripe_lock(&stripes[stripe_of((uint64_t)address)]);
}

RT_EXPORT void raddle_wide_end(void *address, const void *read, const void *written, uint32_t how, const void *site)
{
	if (raddle_tls.mode == MODE_OFF || raddle_tls.inside != 1)
		return;
	struct stripe *stripe = &stripes[stripe_of((uint64_t)address)];
	uint64_t version = 2 * __atomic_add_fetch(&stripe->count, 1, __ATOMIC_SEQ_CST);
	stripe_unlock(stripe);
	rt_leave();
	const uint64_t *r = read, *w = written;
	note(kind_of(HOW_OP(how)), address, r ? r[0] : 0, version, w ? w[0] : 0, r && !w && HOW_OP(how) == AOP_CAS, site);
}
