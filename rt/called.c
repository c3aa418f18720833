/* rt/called.c -- is what a steered body is about to call watched?  If not, the store buffer is emptied first (buffer.h, buffer_leave).
 * Watched is
 *   what was built with raddle: each such function has a mark in front of its code (wire/hooks.h);
 *   what the runtime stands in front of: that does what a store buffer needs itself.  Those functions are in a section of their own;
 *   but not streams, which are libc's.
 * The address may be anything the program calls a function, so what lies in front of it is read with care. */
#include "rt/buffer.h"
#include "rt/sys.h"
#include "wire/hooks.h"

#define MARK_BYTES 16u
#define PAGE       4096u

extern const char __start_raddle_called[] __attribute__((visibility("hidden")));
extern const char __stop_raddle_called[] __attribute__((visibility("hidden")));

static bool has_mark(const char *code)
{
	uint64_t mark[2];
	if ((uint64_t)code % PAGE < MARK_BYTES && !sys_readable(code - MARK_BYTES, MARK_BYTES))
		return false;
	copy_bytes(mark, code - MARK_BYTES, sizeof mark);
	return mark[0] == BUILT_MARK_1 && mark[1] == BUILT_MARK_2;
}

static bool is_ours(const char *code)
{
	return code >= __start_raddle_called && code < __stop_raddle_called;
}

void called(const char *code, uint64_t place)
{
	if (rt_steered() && own_strand && buffer_count(own_strand) && !is_ours(code) && !has_mark(code))
		buffer_leave(place);
}
