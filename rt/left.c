/* rt/left.c -- memory of a steered program that is gone while others may have its address: locals, and whatever a thread had that has ended.
 * A function that is about to leave such a local stands at a point (cc/left.c).  Nothing of it, or of the local's block, is still to come then: it could as well
 * have gone on, whatever the others do next.  So whoever comes to the local while its thread stands there uses what is gone, and the run ends.
 * When the thread goes on other frames may lie there, and nobody can say whose they are, unless
 *   (1) its stack ends above: it is at a point, and what it called it from lies higher than the local did;
 *   (2) it has ended, and no other thread was made on its stack since.  Thread-local variables are gone then, too.  What the program made stacks of
 *       itself is its own memory, and what the first thread had stays. */
#include "rt/left.h"
#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/serve.h"
#include "rt/state.h"
#include "rt/strands.h"
#include "wire/hooks.h"

#define MOST_FRAMES 16u                 /* of the runtime, from the function the program called to its point */
#define MOST_STACK  65536u              /* bytes they take */

uint32_t left_standing;
uint64_t left_base, left_bytes;

static bool meets(uint64_t at, uint64_t bytes, uint64_t low, uint64_t size)
{
	return at < low + size && low < at + bytes;
}

/* ---- what is gone ---- */

static void include(uint64_t at, uint64_t bytes)
{
	uint64_t end = left_base + left_bytes;
	if (!left_bytes) {
		left_base = at, left_bytes = bytes;
		return;
	}
	left_base = at < left_base ? at : left_base;
	left_bytes = (at + bytes > end ? at + bytes : end) - left_base;
}

static void keep(struct strand *s, uint64_t local, uint64_t bytes, uint64_t place)
{
	if (!rt_in_own_stack(local))            /* frames lie elsewhere: nothing is said by where the stack ends */
		return;
	s->gone[s->gone_count++ % (sizeof s->gone / sizeof *s->gone)] = (struct strand_gone){ local, bytes, place };
	include(local, bytes);
}

void left_unmapped(uint64_t at, uint64_t bytes)
{
	for (uint32_t i = 0; i < strand_count; i++)
		if (strands[i].seen && steer_has_ended(&strands[i]) && meets(at, bytes, strands[i].memory_low, strands[i].memory_bytes))
			strands[i].memory_bytes = 0;
}

void left_begins(struct strand *s, bool owned)
{
	uint64_t low, bytes;
	thread_memory(&low, &bytes);
	left_unmapped(low, bytes);              /* libc has given it to another one */
	if (owned)
		s->memory_low = low, s->memory_bytes = bytes;
}

void left_ends(const struct strand *s)
{
	if (s->memory_bytes)
		include(s->memory_low, s->memory_bytes);
}

/* Frames of the runtime, from here to the one the program called from this place. */
static __attribute__((noinline)) uint64_t stack_at(uint64_t place)
{
	const uint64_t *frame = __builtin_frame_address(0);
	for (unsigned i = 0; i < MOST_FRAMES; i++) {
		if (frame[1] == place)
			return (uint64_t)(frame + 2);
		const uint64_t *next = (const uint64_t *)frame[0];
		if (next <= frame || (uint64_t)next - (uint64_t)frame > MOST_STACK || (uint64_t)next % 8)
			return 0;
		frame = next;
	}
	return 0;
}

uint64_t left_stack(const struct strand *s)
{
	switch (s->ask.kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS: case EV_LEFT: return s->sp;
	default: return stack_at(s->ask.place);
	}
}

/* ---- who comes to it ---- */

/* Ends the run, if the strand has left a local there; `standing`: it is about to. */
static void check_local(const struct strand *s, struct strand_gone gone, uint64_t at, uint64_t bytes, bool is_write)
{
	if (!meets(at, bytes, gone.at, gone.bytes))
		return;
	steer->address = at;
	steer->block = (struct steer_block){ .at = gone.at, .bytes = gone.bytes, .freed_place = gone.place, .freed_by = s->number + 1, .memory = STEER_LOCAL };
	steer_give_up(OUTCOME_MEMORY, is_write ? "write to a local variable that is gone" : "read of a local variable that is gone");
}

static bool stands_there(const struct strand *s)
{
	return s->at_point && s->ask.kind == EV_LEFT && !signals_wait_for(s) && !steer_is_cancelled(s);
}

/* Those it has left for good: the last ones are told first. */
static void check_left(const struct strand *s, uint64_t at, uint64_t bytes, bool is_write)
{
	uint32_t room = sizeof s->gone / sizeof *s->gone, first = s->gone_count > room ? s->gone_count - room : 0;
	bool ended = steer_has_ended(s) && s->memory_bytes;
	if (!ended && !(s->at_point && s->low && at + bytes <= s->low))
		return;
	for (uint32_t i = s->gone_count; i > first; i--)
		check_local(s, s->gone[(i - 1) % room], at, bytes, is_write);
}

static void check_ended(const struct strand *s, uint64_t at, uint64_t bytes, bool is_write)
{
	if (!steer_has_ended(s) || !meets(at, bytes, s->memory_low, s->memory_bytes))
		return;
	steer->address = at;
	steer->block = (struct steer_block){ .at = s->memory_low, .bytes = s->memory_bytes, .freed_by = s->number + 1, .memory = STEER_LOCAL };
	steer_give_up(OUTCOME_MEMORY, is_write ? "write to memory of a thread that has ended" : "read of memory of a thread that has ended");
}

void left_check(const void *address, uint64_t bytes, bool is_write)
{
	uint64_t at = (uint64_t)address;
	for (uint32_t i = 0; own_strand && i < strand_count; i++) {
		const struct strand *s = &strands[i];
		if (s == own_strand || !s->seen || s->seen->state == STRAND_NONE)
			continue;
		if (stands_there(s))
			check_local(s, (struct strand_gone){ s->ask.object, (uint64_t)s->ask.first, s->ask.place }, at, bytes, is_write);
		check_left(s, at, bytes, is_write);
		check_ended(s, at, bytes, is_write);
	}
}

RT_EXPORT void raddle_left(const void *local, uint64_t bytes)
{
	if (!rt_steered() || !own_strand)
		return;
	struct steer_ask ask = { .kind = EV_LEFT, .object = (uint64_t)local, .place = RT_PC, .first = (const void *)bytes };
	steer_stack(HOOK_STACK);
	left_standing++;
	steer_stop(&ask);
	left_standing--;
	keep(own_strand, (uint64_t)local, bytes, RT_PC);
	rt_event(EV_LEFT, (uint64_t)local, bytes, 0, 0, RT_PC);
}

/* Only where all of a program's behaviours are looked for: not a point. */
RT_EXPORT void raddle_local(const void *local, uint64_t bytes, uint32_t life)
{
	if (life == LOCAL_UNWOUND)
		local = (const char *)__builtin_frame_address(0) + 16;          /* where the caller's frame ends */
	if (rt_steered() && own_strand && steer->states && (states_on || serve_waits))
		rt_event(EV_LOCAL, (uint64_t)local, bytes, 0, life, RT_PC);
}
