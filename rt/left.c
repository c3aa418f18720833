/* rt/left.c -- locals of a steered program that are gone while others may have their address.
 * A function that is about to leave such a local stands at a point (cc/left.c).  Nothing of it, or of the local's block, is still to come then: it could as well
 * have gone on, whatever the others do next.  So whoever comes to the local while its thread stands there uses what is gone, and the run ends.
 * When the thread goes on other frames lie there: nobody can say any more whose they are. */
#include "rt/left.h"
#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/steer.h"
#include "wire/hooks.h"

uint32_t left_standing;

static bool is_gone(const struct strand *s, uint64_t at, uint64_t bytes)
{
	uint64_t low = s->ask.object, size = (uint64_t)s->ask.first;
	return s != own_strand && s->at_point && s->ask.kind == EV_LEFT && !signals_wait_for(s) && !steer_is_cancelled(s) && at < low + size && low < at + bytes;
}

void left_check(const void *at, uint64_t bytes, bool is_write)
{
	for (uint32_t i = 0; own_strand && i < steer_strand_count(); i++) {
		const struct strand *s = steer_strand(i);
		if (!is_gone(s, (uint64_t)at, bytes))
			continue;
		steer->address = (uint64_t)at;
		steer->block = (struct steer_block){ .at = s->ask.object, .bytes = (uint64_t)s->ask.first, .freed_place = s->ask.place,
			.freed_by = s->number + 1, .memory = STEER_LOCAL };
		steer_give_up(OUTCOME_MEMORY, is_write ? "write to a local variable that is gone" : "read of a local variable that is gone");
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
	rt_event(EV_LEFT, (uint64_t)local, bytes, 0, 0, RT_PC);
}
