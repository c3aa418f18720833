/* drive/races_clocks.c -- see races_inside.h: the hash table, vector clocks, rows.
 *   (1) a slot is empty unless its generation is the table's: emptying a table is one addition;
 *   (2) a clock has no number for threads behind its end: they are 0;
 *   (3) equal rows are the same number, so what is remembered of stacks grows with those there are, not with calls. */
#include <string.h>

#include "drive/races_inside.h"

#define LINKS_MAX (1u << 20)

static uint64_t mixed(uint64_t key)
{
	key *= 0x9e3779b97f4a7c15ull;
	return key ^ key >> 29;
}

static bool is_full(const struct slots *s, uint32_t at)
{
	return s->at[at].generation == s->generation;
}

static uint32_t slot_of(const struct slots *s, uint64_t key)
{
	uint32_t at = (uint32_t)mixed(key) & (s->room - 1);
	while (is_full(s, at) && s->at[at].key != key)
		at = (at + 1) & (s->room - 1);
	return at;
}

uint32_t *slots_get(const struct slots *s, uint64_t key)
{
	if (!s->count)
		return NULL;
	uint32_t at = slot_of(s, key);
	return is_full(s, at) ? &s->at[at].value : NULL;
}

static void grow(struct slots *s)
{
	struct slots old = *s;
	s->room = old.room ? old.room * 2 : 64;
	s->generation = 1;
	s->at = mem_take(s->room * sizeof *s->at);
	for (uint32_t i = 0; i < old.room; i++)
		if (is_full(&old, i)) {
			uint32_t at = slot_of(s, old.at[i].key);
			s->at[at] = (struct slot){ old.at[i].key, 1, old.at[i].value };
		}
	mem_free(old.at);
}

uint32_t *slots_put(struct slots *s, uint64_t key)
{
	if (s->count * 2 >= s->room)
		grow(s);
	uint32_t at = slot_of(s, key);
	if (!is_full(s, at)) {
		s->at[at] = (struct slot){ key, s->generation, NONE };
		s->count++;
	}
	return &s->at[at].value;
}

/* Those behind it that could not stand where they belong move up. */
void slots_drop(struct slots *s, uint64_t key)
{
	if (!s->count)
		return;
	uint32_t hole = slot_of(s, key), mask = s->room - 1;
	if (!is_full(s, hole))
		return;
	for (uint32_t at = (hole + 1) & mask; is_full(s, at); at = (at + 1) & mask) {
		uint32_t home = (uint32_t)mixed(s->at[at].key) & mask;
		if (((at - home) & mask) >= ((at - hole) & mask)) {
			s->at[hole] = s->at[at];
			hole = at;
		}
	}
	s->at[hole].generation = s->generation - 1;
	s->count--;
}

void slots_clear(struct slots *s)
{
	s->count = 0;
	if (++s->generation == 0) {
		memset(s->at, 0, s->room * sizeof *s->at);
		s->generation = 1;
	}
}

void slots_release(struct slots *s)
{
	mem_free(s->at);
	*s = (struct slots){ 0 };
}

/* ---------------------------------------------------------------- clocks */

uint32_t clock_take(struct clocks *c)
{
	if (c->spare.count) {
		uint32_t id = c->spare.at[--c->spare.count];
		c->all.at[id].count = 0;
		return id;
	}
	if (c->used == c->all.count)
		vec_add(&c->all);
	c->all.at[c->used].count = 0;
	return c->used++;
}

void clock_drop(struct clocks *c, uint32_t id)
{
	if (id != NONE)
		vec_push(&c->spare, id);
}

static void widen(struct clocks *c, struct clock *k, uint32_t count)
{
	if (count > k->room) {
		c->numbers += count * 2 - k->room;
		k->room = count * 2;
		k->at = mem_resize(k->at, k->room * sizeof *k->at);
	}
	if (count > k->count) {
		memset(k->at + k->count, 0, (count - k->count) * sizeof *k->at);
		k->count = count;
	}
}

void clock_join(struct clocks *c, uint32_t into, uint32_t from)
{
	if (from == NONE || from == into)
		return;
	struct clock *k = &c->all.at[into], *other = &c->all.at[from];
	widen(c, k, other->count);
	for (uint32_t i = 0; i < other->count; i++)
		if (k->at[i] < other->at[i])
			k->at[i] = other->at[i];
}

void clock_copy(struct clocks *c, uint32_t into, uint32_t from)
{
	struct clock *k = &c->all.at[into], *other = &c->all.at[from];
	k->count = 0;
	widen(c, k, other->count);
	memcpy(k->at, other->at, other->count * sizeof *k->at);
}

void clock_set(struct clocks *c, uint32_t id, uint32_t thread, uint32_t value)
{
	widen(c, &c->all.at[id], thread + 1);
	c->all.at[id].at[thread] = value;
}

void clocks_clear(struct clocks *c)
{
	c->used = 0;
	vec_clear(&c->spare);
}

void clocks_release(struct clocks *c)
{
	for (size_t i = 0; i < c->all.count; i++)
		mem_free(c->all.at[i].at);
	vec_release(&c->all);
	vec_release(&c->spare);
}

/* ---------------------------------------------------------------- rows */

uint32_t link_add(struct links *l, uint32_t before, uint64_t what, const struct place *place)
{
	uint64_t key = mixed(mixed(what + 0x632be59bd9b4e019ull * before) ^ (uint64_t)(uintptr_t)place);
	uint32_t *slot;
	for (;; key++) {
		slot = slots_put(&l->index, key);
		if (*slot == NONE)
			break;
		const struct link *there = &l->all.at[*slot];
		if (there->before == before && there->what == what && there->place == place)
			return *slot;
	}
	if (l->all.count >= LINKS_MAX) {
		slots_drop(&l->index, key);
		return NONE;
	}
	*slot = (uint32_t)l->all.count;
	uint32_t length = before == NONE ? 1 : l->all.at[before].length + 1;
	vec_push(&l->all, ((struct link){ before, length, what, place }));
	return (uint32_t)l->all.count - 1;
}

void links_clear(struct links *l)
{
	vec_clear(&l->all);
	slots_clear(&l->index);
}
