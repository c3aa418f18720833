/* rt/fault.c -- makes the fault that was ordered (wire/fault.h), and notes that it did.
 * Code of level full comes here only from the groups whose descriptor is raddle_fault_site; it is 0 unless a fault is ordered for this process, the first
 * of the recording.  Only the thread named counts, so the order's lower part has one writer.  Nothing is recorded here: a group is being written.
 * A run that others part from (fault_order.at) makes none: at each place it is told it stands still and copies of it do (serve.c). */
#include "rt/fault.h"

#include <errno.h>
#include <stdlib.h>

#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/serve.h"
#include "rt/sys.h"
#include "wire/fault.h"
#include "wire/hooks.h"

RT_EXPORT uint64_t raddle_fault_site;

static uint64_t old_value;              /* what the place gave the last time */

static struct fault_order *fault_order(void)
{
	return (struct fault_order *)((char *)ring + RING_FAULT_AT);
}

/* ---- where it is ---- */

static bool is_of_order(const struct module_entry *m, const struct fault_order *o)
{
	if (!m->sites_low || m->build_id_bytes != o->build_id_bytes)
		return false;
	for (uint32_t i = 0; i < m->build_id_bytes && i < sizeof m->build_id; i++)
		if (m->build_id[i] != o->build_id[i])
			return false;
	return true;
}

static void note_allocator(const struct module_entry *m, struct fault_order *o)
{
	uint64_t at = (uint64_t)REAL(malloc);
	if (at >= m->low && at < m->high)
		copy_bytes(o->allocator, m->path, sizeof o->allocator - 1);
}

void fault_look(void)
{
	struct fault_order *o = ring ? fault_order() : NULL;
	if (!o || o->op == FAULT_NONE || process_index != 0 || o->found)
		return;
	uint32_t count = ring->next_module < RING_MODULES ? ring->next_module : RING_MODULES;
	for (uint32_t i = 0; i < count; i++) {
		const struct module_entry *m = ring_module(i);
		if (!m->state || m->process != process_index)
			continue;
		note_allocator(m, o);
		if (o->found || !is_of_order(m, o) || o->descriptor >= m->sites_high - m->sites_low)
			continue;
		o->found = 1;
		__atomic_store_n(&raddle_fault_site, m->sites_low + o->descriptor, __ATOMIC_RELEASE);
	}
}

/* ---- when it is ---- */

static bool is_own_thread(const struct fault_order *o)
{
	const char *a = o->path, *b = raddle_tls.area ? raddle_tls.area->path : "";
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* Do runs part here?  true in each that does.  The next order may be for this place again. */
static bool parts_here(struct fault_order *o, uint32_t what, const void *site)
{
	while (o->at == rt_next_number() && FAULT_NTH(what) == o->nth && is_own_thread(o) && raddle_fault_site == (uint64_t)site) {
		if (serve_part()) {
			o->at = 0;
			o->executed = o->first;
			old_value = o->old;
			return true;
		}
		raddle_fault_site = 0;
		o->found = 0;
		fault_look();
	}
	return false;
}

/* Has this thread come to the place for the time ordered? */
static bool is_due(uint32_t what, const void *site)
{
	struct fault_order *o = fault_order();
	if (ring && o->at && process_index == 0)
		return parts_here(o, what, site);
	if (!ring || FAULT_NTH(what) != o->nth || !is_own_thread(o) || process_index != 0)
		return false;
	uint64_t executed = ++o->executed;
	return executed >= o->first && executed - o->first < o->times;
}

static uint64_t now(void)
{
	struct timespec time = { 0 };
	sys3(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void note_made(uint32_t what, uint64_t before, uint64_t after)
{
	struct fault_order *o = fault_order();
	if (o->made == 0) {
		o->before = before;
		o->after = after;
		o->width = FAULT_WIDTH(what);
		o->when = now();
	}
	__atomic_store_n(&o->made, o->made + 1, __ATOMIC_RELEASE);
}

static void wait_for(uint64_t nanoseconds)
{
	struct timespec time = { .tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u) };
	sys3(SYS_nanosleep, (long)&time, 0, 0);
}

/* ---- what it is ---- */

static uint64_t there(const void *address, unsigned width)
{
	uint64_t bits = 0;
	copy_bytes(&bits, address, (width + 7) / 8);
	return bits;
}

static uint64_t changed(const struct fault_order *o, uint64_t bits, unsigned width, const void *address)
{
	uint64_t bit = 1ull << o->a % width;
	switch (o->op) {
	case FAULT_FLIP:    return bits ^ bit;
	case FAULT_STUCK:   return o->b ? bits | bit : bits & ~bit;
	case FAULT_SET:     return o->a;
	case FAULT_PERCENT: return (uint64_t)((unsigned __int128)bits * o->a / 100u);
	case FAULT_ADD:     return bits + o->a;
	case FAULT_OTHER:   return width == 1 ? !bits : (uint64_t)address;       /* cc/ways.c found it */
	case FAULT_OLD:     return address ? there(address, width) : old_value;
	default:            return bits;
	}
}

uint64_t fault_value(uint64_t bits, uint32_t what, const void *site, const void *address)
{
	const struct fault_order *o = fault_order();
	unsigned width = FAULT_WIDTH(what);
	uint64_t mask = width < 64 ? (1ull << width) - 1 : UINT64_MAX, after = bits;
	if (is_due(what, site)) {
		if (o->op == FAULT_DELAY)
			wait_for(o->a);
		after = changed(o, bits, width, address) & mask;
		note_made(what, bits, after);
	}
	if (FAULT_NTH(what) == o->nth && is_own_thread(o))
		old_value = after;
	return after;
}

struct raddle_fault_call fault_call(uint32_t what, const void *site)
{
	const struct fault_order *o = fault_order();
	struct raddle_fault_call answer = { 0, 0 };
	if (!is_due(what, site))
		return answer;
	if (o->op == FAULT_DELAY)
		wait_for(o->a);
	answer.skip = o->op == FAULT_SKIP;
	answer.value = answer.skip ? o->a : 0;
	note_made(what, 0, answer.value);
	if (answer.skip && o->b)
		errno = (int)o->b;
	return answer;
}
