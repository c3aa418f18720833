/* rt/state.c -- see state.h. */
#include "rt/state.h"

#include "rt/access.h"
#include "rt/anchors.h"

#define MOST_BYTES 65536u                 /* of a stack */

bool states_on;
__thread struct state_frame state_frame __attribute__((tls_model("initial-exec")));

/* Of the first thread the frames from main's on: what is above them it has no part in, and part of it is far away (anchors.c). */
static uint64_t top_of(const struct strand *s, uint64_t from)
{
	return s->number == 0 && from < anchors_main_top ? anchors_main_top : s->stack_top;
}

uint64_t state_taken(const struct strand *s)
{
	struct state_frame at = state_frame;
	state_frame = (struct state_frame){ 0 };
	uint64_t top = top_of(s, at.from);
	if (!at.from || top <= at.from || top - at.from > MOST_BYTES)
		return 0;
	uint64_t hash = steer_mix(steer_mix(0, access_own), at.from);
	for (unsigned i = 0; i < 5; i++)
		hash = steer_mix(hash, ((const uint64_t *)at.registers)[i]);
	for (uint64_t word = at.from; word < top; word += sizeof(uint64_t))
		hash = steer_mix(hash, *(const uint64_t *)word);
	return hash ? hash : 1;
}
