/* model/points_set.c -- see points_set.h. */
#include "model/points_set.h"

#include "base/vec.h"

#define SMALL 12u

static uint32_t slot_of(const struct set *s, uint32_t element)
{
	uint32_t at = (uint32_t)((uint64_t)element * 0x9e3779b97f4a7c15ull >> 32) & (s->slot_room - 1);
	while (s->slots[at] && s->at[s->slots[at] - 1] != element)
		at = (at + 1) & (s->slot_room - 1);
	return at;
}

static bool set_has(const struct set *s, uint32_t element)
{
	if (s->slots)
		return s->slots[slot_of(s, element)] != 0;
	for (uint32_t i = 0; i < s->count; i++)
		if (s->at[i] == element)
			return true;
	return false;
}

static void hash_all(struct set *s)
{
	mem_free(s->slots);
	s->slot_room = s->slot_room ? 2 * s->slot_room : 4 * SMALL + 16;
	while (s->slot_room & (s->slot_room - 1))
		s->slot_room++;
	s->slots = mem_take(s->slot_room * sizeof *s->slots);
	for (uint32_t i = 0; i < s->count; i++)
		s->slots[slot_of(s, s->at[i])] = i + 1;
}

bool set_add(struct set *s, uint32_t element)
{
	if (set_has(s, element))
		return false;
	if (s->count == s->room) {
		s->room = s->room ? 2 * s->room : 4;
		s->at = mem_resize(s->at, s->room * sizeof *s->at);
	}
	s->at[s->count++] = element;
	if (s->slots && 2 * s->count <= s->slot_room)
		s->slots[slot_of(s, element)] = s->count;
	else if (s->count > SMALL)
		hash_all(s);
	return true;
}

void set_release(struct set *s)
{
	mem_free(s->at);
	mem_free(s->slots);
	*s = (struct set){ 0 };
}
