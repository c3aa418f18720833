/* base/map.c -- open addressing with linear probing; at most half full, so a search always ends. */
#include "base/map.h"

#include <string.h>

#include "base/err.h"
#include "base/vec.h"

#define KEPT_ROOM 64u

static uint64_t mix(uint64_t key)
{
	key = (key ^ key >> 32) * 0x9e3779b97f4a7c15ull;
	return key ^ key >> 29;
}

static struct map_cell *map_find(const struct map *m, uint64_t key)
{
	size_t at = mix(key) & (m->room - 1);
	while (m->cells[at].used && m->cells[at].key != key)
		at = (at + 1) & (m->room - 1);
	return &m->cells[at];
}

static void map_grow(struct map *m)
{
	struct map old = *m;
	m->room = old.room ? old.room * 2 : 16;
	m->cells = mem_take(m->room * sizeof *m->cells);
	for (size_t i = 0; i < old.room; i++)
		if (old.cells[i].used)
			*map_find(m, old.cells[i].key) = old.cells[i];
	mem_free(old.cells);
}

uint64_t *map_put(struct map *m, uint64_t key, bool *fresh)
{
	if (m->count * 2 >= m->room)
		map_grow(m);
	struct map_cell *c = map_find(m, key);
	if (fresh)
		*fresh = !c->used;
	if (!c->used) {
		*c = (struct map_cell){ .key = key, .used = true };
		m->count++;
	}
	return &c->value;
}

uint64_t *map_get(const struct map *m, uint64_t key)
{
	if (!m->room)
		return NULL;
	struct map_cell *c = map_find(m, key);
	return c->used ? &c->value : NULL;
}

void map_clear(struct map *m)
{
	if (m->room > KEPT_ROOM && m->count < m->room / KEPT_ROOM) {        /* it was large once */
		map_release(m);
		return;
	}
	if (m->count)
		memset(m->cells, 0, m->room * sizeof *m->cells);
	m->count = 0;
}

void map_release(struct map *m)
{
	mem_free(m->cells);
	*m = (struct map){ 0 };
}

static uint64_t text_hash(const char *text, size_t length)
{
	uint64_t h = 0xcbf29ce484222325ull ^ length;
	while (length >= 8) {
		uint64_t word;
		memcpy(&word, text, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 32;
		text += 8;
		length -= 8;
	}
	while (length--)
		h = (h ^ (uint8_t)*text++) * 0x100000001b3ull;
	return mix(h);
}

static struct names_cell *names_find(const struct names *n, uint64_t hash, const char *text, size_t length)
{
	size_t at = hash & (n->room - 1);
	for (; n->cells[at].used; at = (at + 1) & (n->room - 1)) {
		if (n->cells[at].hash != hash)
			continue;
		const char *have = n->texts[n->cells[at].id];
		if (!strncmp(have, text, length) && !have[length])
			break;
	}
	return &n->cells[at];
}

static void names_grow(struct names *n)
{
	struct names_cell *old = n->cells;
	size_t old_room = n->room;
	n->room = old_room ? old_room * 2 : 64;
	n->cells = mem_take(n->room * sizeof *n->cells);
	for (size_t i = 0; i < old_room; i++) {
		size_t at = old[i].hash & (n->room - 1);
		while (old[i].used && n->cells[at].used)
			at = (at + 1) & (n->room - 1);
		if (old[i].used)
			n->cells[at] = old[i];
	}
	mem_free(old);
}

uint32_t names_put(struct names *n, const char *text, size_t length)
{
	if (n->count * 2 >= n->room)
		names_grow(n);
	uint64_t hash = text_hash(text, length);
	struct names_cell *c = names_find(n, hash, text, length);
	if (!c->used) {
		check(n->count < NO_NAME);
		if (n->count == n->texts_room)
			n->texts = vec_grow(n->texts, &n->texts_room, sizeof *n->texts);
		n->texts[n->count] = arena_text(&n->arena, text, length);
		*c = (struct names_cell){ .hash = hash, .id = (uint32_t)n->count++, .used = 1 };
	}
	return c->id;
}

uint32_t names_get(const struct names *n, const char *text, size_t length)
{
	if (!n->room)
		return NO_NAME;
	struct names_cell *c = names_find(n, text_hash(text, length), text, length);
	return c->used ? c->id : NO_NAME;
}

const char *names_text(const struct names *n, uint32_t id)
{
	check(id < n->count);
	return n->texts[id];
}

void names_release(struct names *n)
{
	mem_free(n->cells);
	mem_free(n->texts);
	arena_release(&n->arena);
	*n = (struct names){ 0 };
}
