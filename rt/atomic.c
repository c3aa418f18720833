/* rt/atomic.c -- atomic operations of a recorded program: performed here, numbered in the order they took effect.
 *
 * An operation that may write runs with its stripe's seq odd, so that operation and number are one step, for signal handlers
 * too (stripe.c); a load takes no lock: it is exact when seq was the same even number before and after, and tries again
 * otherwise.
 * All operations are carried out sequentially consistent: never weaker than what the program asked for; the order it asked
 * for stands in the site. */
#include <cpuid.h>

#include "rt/buffer.h"
#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/steer.h"
#include "rt/stripe.h"
#include "rt/sys.h"
#include "wire/fault.h"
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

static inline int64_t as_signed(uint64_t value, unsigned size)
{
	unsigned shift = 64 - 8 * size;
	return (int64_t)(value << shift) >> shift;
}

/* What the operation makes of the old value; AS_SIGNED(x): the same bits with a sign. */
#define COMBINED(op, old, operand, AS_SIGNED) ({ __typeof__(old) r_; switch (op) { \
	case AOP_ADD:  r_ = (old) + (operand); break; \
	case AOP_SUB:  r_ = (old) - (operand); break; \
	case AOP_AND:  r_ = (old) & (operand); break; \
	case AOP_NAND: r_ = ~((old) & (operand)); break; \
	case AOP_OR:   r_ = (old) | (operand); break; \
	case AOP_XOR:  r_ = (old) ^ (operand); break; \
	case AOP_MAX:  r_ = AS_SIGNED(old) > AS_SIGNED(operand) ? (old) : (operand); break; \
	case AOP_MIN:  r_ = AS_SIGNED(old) < AS_SIGNED(operand) ? (old) : (operand); break; \
	case AOP_UMAX: r_ = (old) > (operand) ? (old) : (operand); break; \
	case AOP_UMIN: r_ = (old) < (operand) ? (old) : (operand); break; \
	case AOP_UINC_WRAP: r_ = (old) >= (operand) ? 0 : (old) + 1; break; \
	case AOP_UDEC_WRAP: r_ = (old) == 0 || (old) > (operand) ? (operand) : (old) - 1; break; \
	default:       r_ = (operand); break; } r_; })

static uint64_t combine(enum atomic_op op, uint64_t old, uint64_t operand, unsigned size)
{
#define SIGNED(value) as_signed(value, size)
	return COMBINED(op, old, operand, SIGNED);
#undef SIGNED
}

static inline uint64_t cut(uint64_t value, unsigned size)
{
	return size >= 8 ? value : value & ((1ull << 8 * size) - 1);
}

/* Performs any operation: *found is the value there before, *written the one now stored, *failed a compare-exchange that did
 * not.  When *phase stops being STRIPE_LOCKED before anything was done, nothing is. */
static void perform(uint32_t *phase, void *at, uint64_t operand, uint64_t expected, uint32_t how, uint64_t *found,
	uint64_t *written, bool *failed)
{
	unsigned size = HOW_SIZE(how);
	enum atomic_op op = HOW_OP(how);
	*failed = false;
	*written = cut(operand, size);
	if (op == AOP_CAS) {
		*found = cut(expected, size);
		*failed = stripe_swap(phase, size, at, found, written) != 1;
		return;
	}
	*found = load(at, size);
	if (op == AOP_LOAD)
		return;
	do
		*written = cut(combine(op, *found, cut(operand, size), size), size);
	while (!stripe_swap(phase, size, at, found, written));
}

/* Level full: the value as the fault ordered there leaves it (fault.c); of what writes that is the operand, of a load what was read. */
static inline uint64_t faulty(uint64_t value, uint32_t how, const void *site)
{
	return rt_unlikely(raddle_fault_site == (uint64_t)site) && site ? raddle_fault(value, FAULT_WHAT(8 * HOW_SIZE(how), 0), site, NULL) : value;
}

static uint64_t perform_unnumbered(void *at, uint64_t operand, uint64_t expected, uint32_t how, uint64_t *written, bool *failed)
{
	uint32_t phase = STRIPE_LOCKED;
	uint64_t found;
	perform(&phase, at, operand, expected, how, &found, written, failed);
	if (HOW_OP(how) == AOP_LOAD)
		*written = found;
	return found;
}

/* In a steered run, after the point: a store may wait in the buffer, whatever else writes does not and waits for nobody.  RMW and CAS
 * have emptied the buffer at their point. */
static uint64_t perform_steered(void *at, uint64_t operand, uint64_t expected, uint32_t how, uint64_t *written, bool *failed)
{
	unsigned size = HOW_SIZE(how);
	if (HOW_OP(how) != AOP_STORE || !buffers_on || !own_strand)
		return perform_unnumbered(at, operand, expected, how, written, failed);
	if (HOW_ORDER(how) == ORDER_SEQ_CST) {
		buffer_drain();
		return perform_unnumbered(at, operand, expected, how, written, failed);
	}
	uint64_t found = load(at, size);
	*written = cut(operand, size);
	*failed = false;
	buffer_store(at, operand, size, HOW_ORDER(how) == ORDER_RELAXED ? STORE_PLAIN : STORE_RELEASE);
	return found;
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
	at[2] = version | rt_points(kind);
	at[3] = hide ? 0 : written;
	at[4] = (uint64_t)site & RECORD_ADDRESS_MASK;
	at[RECORD_WORDS] = 0;
	uint64_t flags = (failed ? RECORD_FAILED : 0) | (rt_unlikely(buffers_on) && kind == EV_ASTORE && buffer_took() ? RECORD_WAITS : 0);
	__atomic_store_n(at, RECORD_CONTROL | flags << 56 | (uint64_t)kind << 48 |
		((uint64_t)address & RECORD_ADDRESS_MASK), __ATOMIC_RELEASE);
	raddle_tls.cursor = (uint64_t)(at + RECORD_WORDS);
}

/* What is told with it has its number first. */
static void note_steered(enum event_kind kind, const void *address, uint64_t read, uint64_t written, bool failed, const void *site)
{
	rt_tell_frames();
	note(kind, address, read, rt_version((uint64_t)address), written, failed, site);
}

static void prepare(enum event_kind kind, const void *address, const void *site, uint64_t *found, const uint64_t *value, bool wide)
{
	stripe_use.kind = (uint8_t)kind;
	stripe_use.address = address;
	stripe_use.site = site;
	stripe_use.found = found;
	stripe_use.value = value;
	stripe_use.wide = wide;
	stripe_use.failed = false;
	rt_tell_frames();
	if (ring_keeps())
		segment_room();                  /* before: a signal may have to write the record */
}

/* Exact without writing shared memory, unless the stripe is busy all the time. */
static bool quiet_load(struct stripe *stripe, void *address, unsigned size, uint64_t *value)
{
	for (unsigned i = 0; i < LOAD_TRIES; i++) {
		uint64_t look = stripe_look(stripe);
		__atomic_store_n(value, load(address, size), __ATOMIC_RELAXED);
		if (stripe_looked(look))
			return true;
		__builtin_ia32_pause();
	}
	return false;
}

/* Behind the doors raddle_atomic and raddle_weak_cas (entry.S). */
uint64_t atomic_perform(void *address, uint64_t operand, uint64_t expected, uint32_t how, const void *site);
struct raddle_cas atomic_perform_weak(void *address, uint64_t operand, uint64_t expected, uint32_t how, const void *site);

uint64_t atomic_perform(void *address, uint64_t operand, uint64_t expected, uint32_t how, const void *site)
{
	struct stripe *stripe = &stripes[stripe_of((uint64_t)address)];
	enum event_kind kind = kind_of(HOW_OP(how));
	uint64_t written, old;
	bool failed;
	if (!rt_on()) {
		old = perform_unnumbered(address, operand, expected, how, &written, &failed);
		if (raddle_tls.mode != MODE_OFF)
			note(kind, address, old, 0, written, failed, site);
		return old;
	}
	if (kind != EV_ALOAD)
		operand = faulty(operand, how, site);
	if (rt_steered()) {
		steer_stack(HOOK_STACK);
		steer_point_access(kind, address, how >> 8 & 0xff, site);
		old = perform_steered(address, operand, expected, how, &written, &failed);
		if (kind == EV_ALOAD)
			old = faulty(old, how, site);
		if (failed || (kind != EV_ALOAD && written == old))
			steer_unchanged();
		note_steered(kind, address, old, written, failed, site);
		return old;
	}
	prepare(kind, address, site, &old, HOW_OP(how) == AOP_LOAD ? &old : &written, false);
	rt_enter();
	if (HOW_OP(how) != AOP_LOAD || !quiet_load(stripe, address, HOW_SIZE(how), &old))
		do {
			stripe_begin(stripe);
			perform(&stripe_use.phase, address, operand, expected, how, &old, &written, &stripe_use.failed);
		} while (!stripe_end());
	rt_leave();
	if (kind == EV_ALOAD)
		old = faulty(old, how, site);
	stripe_note();
	return old;
}

struct raddle_cas atomic_perform_weak(void *address, uint64_t operand, uint64_t expected, uint32_t how, const void *site)
{
	uint64_t written, old;
	bool failed;
	if (!rt_steered()) {
		old = atomic_perform(address, operand, expected, how, site);
		return (struct raddle_cas){ old, old == expected };
	}
	operand = faulty(operand, how, site);
	steer_stack(HOOK_STACK);
	if (steer_point_weak(address, expected, how >> 8 & 0xff, site)) {
		written = old = load(address, HOW_SIZE(how));
		failed = true;
	} else {
		old = perform_unnumbered(address, operand, expected, how, &written, &failed);
	}
	if (failed || written == old)
		steer_unchanged();
	note_steered(EV_CAS, address, old, written, failed, site);
	return (struct raddle_cas){ old, !failed };
}

RT_EXPORT void raddle_fence(uint32_t how, const void *site)
{
	steer_stack(HOOK_STACK);
	steer_point(EV_FENCE, 0, (uint64_t)site);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (rt_steered())
		buffer_fence(HOW_ORDER(how));
	if (rt_on())
		note(EV_FENCE, NULL, HOW_ORDER(how), rt_steered() ? rt_version(0) : 0, 0, false, site);
}

/* ---- 16 bytes ---- */

typedef unsigned __int128 wide;

static wide load16(const void *at)
{
	static int by_vector = -1;
	uint64_t value[2];
	unsigned a, b, c = 0, d;
	if (__atomic_load_n(&by_vector, __ATOMIC_RELAXED) < 0) {
		__get_cpuid(1, &a, &b, &c, &d);
		__atomic_store_n(&by_vector, (c & bit_AVX) != 0, __ATOMIC_RELAXED);
	}
	load_16(at, value, __atomic_load_n(&by_vector, __ATOMIC_RELAXED) > 0);
	return (wide)value[1] << 64 | value[0];
}

static wide combine16(enum atomic_op op, wide old, wide operand)
{
	return COMBINED(op, old, operand, (__int128));
}

static wide from_halves(const uint64_t h[2])
{
	return (wide)h[1] << 64 | h[0];
}

static void to_halves(uint64_t h[2], wide value)
{
	h[0] = (uint64_t)value;
	h[1] = (uint64_t)(value >> 64);
}

/* As perform, 16 bytes; `found` holds what is expected. */
static void perform16(uint32_t *phase, void *at, const uint64_t operand[2], const uint64_t expected[2], uint32_t how,
	uint64_t found[2], uint64_t written[2], bool *failed)
{
	enum atomic_op op = HOW_OP(how);
	*failed = false;
	to_halves(written, from_halves(operand));
	if (op == AOP_CAS) {
		to_halves(found, from_halves(expected));
		*failed = stripe_swap(phase, 16, at, found, written) != 1;
		return;
	}
	to_halves(found, load16(at));
	if (op == AOP_LOAD)
		return;
	do
		to_halves(written, combine16(op, from_halves(found), from_halves(operand)));
	while (!stripe_swap(phase, 16, at, found, written));
}

/* Not numbered, or numbered by who steers. */
static void plain16(void *address, const uint64_t operand[2], uint64_t found[2], uint32_t how, const void *site)
{
	uint64_t old[2], written[2];
	uint32_t phase = STRIPE_LOCKED;
	enum event_kind kind = kind_of(HOW_OP(how));
	bool steered = rt_on() && rt_steered(), failed;
	if (steered) {
		steer_stack(HOOK_STACK);
		steer_point_access(kind, address, how >> 8 & 0xff, site);
		if (kind == EV_ASTORE)
			buffer_drain();                  /* made by a locked instruction */
	}
	perform16(&phase, address, operand, found, how, old, written, &failed);
	if (steered && (failed || (kind != EV_ALOAD && from_halves(written) == from_halves(old))))
		steer_unchanged();
	to_halves(found, from_halves(old));
	if (raddle_tls.mode == MODE_OFF)
		return;
	prepare(kind, address, site, old, kind == EV_ALOAD ? old : written, true);
	stripe_use.failed = failed;
	stripe_use.version = steered ? rt_version((uint64_t)address) | rt_points(kind) : 0;
	stripe_use.phase = STRIPE_DONE;
	stripe_note();
}

RT_EXPORT void raddle_atomic16(void *address, const uint64_t operand[2], uint64_t found[2], uint32_t how, const void *site)
{
	uint64_t old[2], written[2];
	if (!rt_on() || rt_steered()) {
		plain16(address, operand, found, how, site);
		return;
	}
	prepare(kind_of(HOW_OP(how)), address, site, old, HOW_OP(how) == AOP_LOAD ? old : written, true);
	rt_enter();
	do {
		stripe_begin(&stripes[stripe_of((uint64_t)address)]);
		perform16(&stripe_use.phase, address, operand, found, how, old, written, &stripe_use.failed);
	} while (!stripe_end());
	rt_leave();
	stripe_note();
	to_halves(found, from_halves(old));
}
