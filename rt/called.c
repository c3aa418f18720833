/* rt/called.c -- is what a steered body is about to call watched?  If not, that is told, and the store buffer is emptied first (buffer.h, buffer_leave).
 * Watched is
 *   what was built with raddle: each such function has a mark in front of its code (wire/hooks.h);
 *   what the runtime has a model of, whether it is called by its name or through a pointer (known.c);
 *   what the runtime stands in front of: that does what a store buffer needs itself.  Those functions are in a section of their own;
 *   but not streams, which are libc's;
 *   what is known to do nothing to it (cxx.c).
 * The address may be anything the program calls a function, so what lies in front of it is read with care. */
#include <semaphore.h>

#include "rt/access.h"
#include "rt/buffer.h"
#include "rt/known.h"
#include "rt/objects.h"
#include "rt/segment.h"
#include "rt/serve.h"
#include "rt/state.h"
#include "rt/sys.h"
#include "wire/hooks.h"

#define MARK_BYTES 16u
#define PAGE       4096u

extern const char __start_raddle_called[] __attribute__((visibility("hidden")));
extern const char __stop_raddle_called[] __attribute__((visibility("hidden")));

static bool has_mark(const char *code)
{
	uint64_t mark[2];
	if (((uint64_t)code % PAGE < MARK_BYTES || !objects_have(code)) && !sys_readable(code - MARK_BYTES, MARK_BYTES))
		return false;
	copy_bytes(mark, code - MARK_BYTES, sizeof mark);
	return mark[0] == BUILT_MARK_1 && mark[1] == BUILT_MARK_2;
}

bool called_is_built(const char *code)
{
	return has_mark(code);
}

static bool is_ours(const char *code)
{
	return code >= __start_raddle_called && code < __stop_raddle_called;
}

/* What it changes is not seen. */
static void is_unseen(void)
{
	access_own++;
	access_unseen++;
}

void called(const char *callee, uint64_t place)
{
	const char *code = (const char *)((uint64_t)callee & ~CALL_HANDS_OVER);
	bool waits = buffers_on && own_strand && buffer_count(own_strand), told = ring && (ring->keep || serve_waits);
	if (!rt_steered() || (!waits && !told && !states_on) || has_mark(code))
		return;
	const struct known *known = known_at(code);
	if (code == (const char *)sem_getvalue)
		waiting_asked_value = true;     /* it looks, and says the same as long as nobody posts or takes */
	else if (!known || known_is_told(known))
		is_unseen();
	if (known && !known_is_told(known))     /* as where it is called by its name */
		return;
	code = known ? known->model : code;
	if (waits && !is_ours(code) && !cxx_keeps_stores(code))
		buffer_leave(place);
	if (told)                               /* of a server: by the runs it makes, from here on */
		rt_event(EV_CALL, (uint64_t)code, (uint64_t)callee >> 63, 0, 0, place);
}
