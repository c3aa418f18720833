/* certify/buffer.c -- see buffer.h.  Under TSO stores leave in their order; under PSO those to different bytes in any, but for fences and release stores. */
#include "certify/buffer.h"

#include <string.h>

/* Where in the state the thread's number of stores stands; the stores follow. */
static uint32_t begin_of(const struct machine *m, const words *state, uint32_t thread)
{
	uint32_t at = m->buffers;
	for (uint32_t i = 0; i < thread; i++)
		at += 1 + state->at[at];
	return at;
}

uint32_t buffer_count(const struct machine *m, const words *state, uint32_t thread)
{
	return m->c->model ? state->at[begin_of(m, state, thread)] : 0;
}

uint32_t buffer_spot(const struct machine *m, const words *state, uint32_t thread, uint32_t i)
{
	return state->at[begin_of(m, state, thread) + 1 + i];
}

void buffer_push(const struct machine *m, words *state, uint32_t thread, uint32_t spot)
{
	uint32_t begin = begin_of(m, state, thread), count = state->at[begin], at = begin + 1 + count;
	bool useless = spot == BUFFER_FENCE && (m->c->model == 1 || !count || state->at[at - 1] == BUFFER_FENCE);
	if (useless)
		return;
	vec_push(state, 0);
	memmove(state->at + at + 1, state->at + at, (state->count - 1 - at) * sizeof *state->at);
	state->at[at] = spot;
	state->at[begin]++;
}

static void drop(const struct machine *m, words *state, uint32_t thread, uint32_t i)
{
	uint32_t begin = begin_of(m, state, thread), at = begin + 1 + i;
	memmove(state->at + at, state->at + at + 1, (state->count - 1 - at) * sizeof *state->at);
	state->count--;
	state->at[begin]--;
}

bool buffer_may_leave(const struct machine *m, const words *state, uint32_t thread, uint32_t i)
{
	uint32_t spot = buffer_spot(m, state, thread, i);
	if (!i)
		return spot != BUFFER_FENCE;
	if (m->c->model == 1 || spot == BUFFER_FENCE || m->c->spots.at[spot].release)
		return false;
	const struct spot *s = &m->c->spots.at[spot];
	for (uint32_t k = 0; k < i; k++) {
		uint32_t earlier = buffer_spot(m, state, thread, k);
		if (earlier == BUFFER_FENCE)
			return false;
		const struct spot *e = &m->c->spots.at[earlier];
		if (e->cell < s->cell + s->size && s->cell < e->cell + e->size)
			return false;
	}
	return true;
}

uint32_t buffer_pull(const struct machine *m, words *state, uint32_t thread, uint32_t i)
{
	uint32_t spot = buffer_spot(m, state, thread, i);
	drop(m, state, thread, i);
	while (buffer_count(m, state, thread) && buffer_spot(m, state, thread, 0) == BUFFER_FENCE)
		drop(m, state, thread, 0);
	return spot;
}

uint32_t buffer_byte(const struct machine *m, const words *state, uint32_t thread, uint32_t cell)
{
	for (uint32_t i = buffer_count(m, state, thread); i-- > 0;) {
		uint32_t spot = buffer_spot(m, state, thread, i);
		const struct spot *s = spot == BUFFER_FENCE ? NULL : &m->c->spots.at[spot];
		if (s && cell >= s->cell && cell - s->cell < s->size)
			return (uint32_t)(s->value >> 8 * (cell - s->cell) & 0xff);
	}
	return 256;
}
