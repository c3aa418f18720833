/* rt/state.c -- see state.h. */
#include "rt/state.h"

#define MOST_BYTES 65536u                 /* of a stack */

bool states_on;
__thread struct state_frame state_frame __attribute__((tls_model("initial-exec")));

uint64_t state_taken(const struct strand *s)
{
	struct state_frame at = state_frame;
	state_frame = (struct state_frame){ 0 };
	if (!at.from || s->stack_top <= at.from || s->stack_top - at.from > MOST_BYTES)
		return 0;
	uint64_t hash = steer_mix(0, at.from);
	for (unsigned i = 0; i < 5; i++)
		hash = steer_mix(hash, ((const uint64_t *)at.registers)[i]);
	for (uint64_t word = at.from; word < s->stack_top; word += sizeof(uint64_t))
		hash = steer_mix(hash, *(const uint64_t *)word);
	return hash ? hash : 1;
}
