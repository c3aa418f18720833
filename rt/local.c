/* rt/local.c -- thread-local variables of shared objects: their first use in a thread asks for memory in the middle of a group.
 *
 * Code reaches such a variable by __tls_get_addr, a call no compiler pass sees: the function that makes it may hold the cursor in a
 * register.  The first time in each thread the loader takes a block from the heap for it (and may give older ones back), and fills
 * it.  What is written down meanwhile goes into a segment of its own, as what a signal handler does.  In a static program the linker
 * turns these calls into plain arithmetic. */
#include "rt/local.h"

#include "rt/effect.h"
#include "rt/segment.h"

__thread bool local_asks __attribute__((tls_model("initial-exec")));

/* The group in the middle of which it happens is the first to use that memory: what is written down stands where the cursor was last
 * kept, in front of it. */
static void stand_in_front(const struct rt_nest *outer)
{
	const struct thread_area *area = raddle_tls.area;
	if (!ring_keeps() || !outer->current || !area->current || (outer->cursor & ~(SEGMENT_BYTES - 1ull)) != (uint64_t)ring_segment(outer->current - 1))
		return;
	struct segment_head *mine = (struct segment_head *)ring_segment(area->current - 1);
	mine->at_offset = (uint32_t)(outer->cursor & (SEGMENT_BYTES - 1));
}

bool local_nest(struct local *l)
{
	if (raddle_tls.nest + 2 >= NEST_LEVELS) {       /* one stays for a failure */
		raddle_tls.area->lost++;
		return false;
	}
	l->apart = true;
	rt_nest_begin(&l->outer);
	stand_in_front(&l->outer);
	return true;
}

static __thread struct { const void *block; size_t bytes; } got __attribute__((tls_model("initial-exec")));

void local_got(const void *block, size_t bytes)
{
	got.block = block;
	got.bytes = bytes;
}

#ifndef RADDLE_STATIC
typedef void *get_address(void *);

static get_address *real_get;

__attribute__((constructor(102))) static void find_real_function(void)
{
	real_get = (get_address *)rt_real("__tls_get_addr", NULL);
}

static void note_filled(uint64_t pc)
{
	struct local l;
	if (local_begin(&l)) {
		effect_result((void *)got.block, got.bytes, pc);
		local_end(&l);
	}
	got.block = NULL;
}

RT_EXPORT get_address __tls_get_addr;

/* Old compilers call it with a stack that is not aligned. */
__attribute__((force_align_arg_pointer)) void *__tls_get_addr(void *variable)
{
	bool outer = local_asks;
	if (rt_unlikely(!real_get))
		find_real_function();
	local_asks = raddle_tls.mode == MODE_ACCESS;
	void *address = real_get(variable);
	if (rt_unlikely(got.block != NULL) && rt_on())
		note_filled(RT_PC);
	local_asks = outer;
	return address;
}
#endif
