/* rt/access.c -- plain accesses of a steered program: a point, then the access itself, then its record if a trace is kept.
 * The doors raddle_load and raddle_store (entry.S) come here when the thread has no quota left, and for memory of the heap.
 *   (1) between the point and the access nobody else runs, so what is read or written here is what the event says;
 *   (2) an access made while the runtime itself runs on this thread, or after steering has ended, is just made. */
#include "rt/access.h"

#include "rt/buffer.h"
#include "rt/left.h"
#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/state.h"
#include "rt/steer.h"
#include "wire/fault.h"
#include "wire/hooks.h"

__thread uint64_t access_quota __attribute__((tls_model("initial-exec")));

typedef uint16_t any_u16 __attribute__((aligned(1), may_alias));
typedef uint32_t any_u32 __attribute__((aligned(1), may_alias));
typedef uint64_t any_u64 __attribute__((aligned(1), may_alias));

static inline uint64_t read_bits(const void *at, uint32_t what)
{
	switch (WHAT_SIZE(what)) {
	case 1:  return *(const volatile uint8_t *)at;
	case 2:  return *(const volatile any_u16 *)at;
	case 4:  return *(const volatile any_u32 *)at;
	default: return *(const volatile any_u64 *)at;
	}
}

static inline void write_bits(void *at, uint64_t bits, uint32_t what)
{
	switch (WHAT_SIZE(what)) {
	case 1:  *(volatile uint8_t *)at = (uint8_t)bits; break;
	case 2:  *(volatile any_u16 *)at = (uint16_t)bits; break;
	case 4:  *(volatile any_u32 *)at = (uint32_t)bits; break;
	default: *(volatile any_u64 *)at = bits; break;
	}
}

static inline bool trace_is_kept(void)
{
	return ring && ring->keep;
}

/* The doors leave memory of the heap to us, quota or not. */
static bool on_quota(void)
{
	if (!access_quota)
		return false;
	access_quota--;
	return true;
}

/* Where the program's stack ends: at the frame of the door that called. */
#define DOOR_STACK (*(const uint64_t *)__builtin_frame_address(0) + 16)

/* The door of loads: kept registers from its frame down to the first it gives back, then one it does not, then the five. */
#define DOOR_KEPT 56
#define DOOR_FIVE 104

uint64_t access_load(const void *address, uint32_t what, const void *site)
{
	bool quiet = on_quota(), steered = !quiet && rt_steered();
	if (steered) {
		uint64_t door = *(const uint64_t *)__builtin_frame_address(0);
		steer_stack(DOOR_STACK);
		if (rt_unlikely(states_on))
			state_frame = (struct state_frame){ .registers = door - DOOR_FIVE, .from = door - DOOR_KEPT };
		steer_point_access(EV_READ, address, what, site);
	}
	if (quiet || steered)
		memory_check(address, WHAT_SIZE(what), false);
	uint64_t bits = read_bits(address, what);
	if (rt_unlikely(raddle_fault_site == (uint64_t)site) && steered)
		bits = raddle_fault(bits, FAULT_WHAT(WHAT_BITS(what), WHAT_NTH(what)), site, NULL);
	if (steered && trace_is_kept())
		rt_access_event(EV_READ, (uint64_t)address, bits, what, site);
	return bits;
}

void access_store(void *address, uint64_t bits, uint32_t what, const void *site)
{
	bool quiet = on_quota(), steered = !quiet && rt_steered();
	if (steered) {
		steer_stack(DOOR_STACK);
		steer_point_access(EV_WRITE, address, what, site);
	}
	if (quiet || steered)
		memory_check(address, WHAT_SIZE(what), true);
	if (rt_unlikely(raddle_fault_site == (uint64_t)site) && steered)
		bits = raddle_fault(bits, FAULT_WHAT(WHAT_BITS(what), WHAT_NTH(what)), site, address);
	if (steered && buffers_on && own_strand)
		buffer_store(address, bits, WHAT_SIZE(what), STORE_PLAIN);
	else
		write_bits(address, bits, what);
	if (steered && trace_is_kept())
		rt_access_event(EV_WRITE, (uint64_t)address, bits, what, site);
}

RT_EXPORT uint64_t raddle_value(uint64_t bits, uint32_t what, const void *site)
{
	bool steered = rt_steered();
	if (rt_unlikely(raddle_fault_site == (uint64_t)site) && steered)
		bits = raddle_fault(bits, FAULT_WHAT(WHAT_BITS(what), WHAT_NTH(what)), site, NULL);
	if (steered && trace_is_kept())
		rt_access_event(EV_RESULT, 0, bits, WHAT_PLAIN(what), site);
	return bits;
}

RT_EXPORT void raddle_touch(const void *address, uint64_t bytes, uint32_t when, uint32_t nth, const void *site)
{
	uint32_t log2size = 0;
	if (!rt_steered())
		return;
	while (1ull << log2size < bytes)
		log2size++;
	if (when != TOUCH_WRITTEN) {
		steer_stack(HOOK_STACK);
		steer_point_access(when == TOUCH_READ ? EV_READ : EV_WRITE, address, WHAT(log2size, nth), site);
	}
	memory_check_range(address, bytes, when != TOUCH_READ);
	if (rt_unlikely(buffers_on) && own_strand && when == TOUCH_WRITE)
		buffer_before(address, bytes);
	if (when == TOUCH_WRITTEN) {
		buffer_after(address, bytes);
		buffer_before(NULL, 0);
	}
	if (when != TOUCH_WRITE && trace_is_kept())
		rt_touch_event(when == TOUCH_READ ? EV_READ : EV_WRITE, address, bytes, nth, site);
}
