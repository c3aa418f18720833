/* cc/bytes.c -- growing byte strings and maps from LLVM handles, for the plugin. */
#include <stdlib.h>
#include <string.h>

#include "cc/pass.h"

static void *grow(void *old, size_t bytes)
{
	void *new = realloc(old, bytes);
	if (!new)
		abort();
	return new;
}

void bytes_add(struct bytes *b, const void *from, size_t count)
{
	if (b->count + count > b->room) {
		b->room = (b->count + count) * 2 + 64;
		b->at = grow(b->at, b->room);
	}
	if (count)
		memcpy(b->at + b->count, from, count);
	b->count += count;
}

void bytes_varint(struct bytes *b, uint64_t value)
{
	do {
		uint8_t byte = value & 127;
		value >>= 7;
		if (value)
			byte |= 128;
		bytes_add(b, &byte, 1);
	} while (value);
}

void bytes_signed(struct bytes *b, int64_t value)
{
	bytes_varint(b, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static size_t slot_of(const struct vmap *m, const void *key)
{
	size_t at = ((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15ull >> 20;
	for (at &= m->room - 1; m->key[at] && m->key[at] != key; at = (at + 1) & (m->room - 1))
		;
	return at;
}

void vmap_set(struct vmap *m, const void *key, uint64_t value)
{
	if (2 * (m->count + 1) > m->room) {
		struct vmap old = *m;
		m->room = old.room ? 2 * old.room : 64;
		m->key = calloc(m->room, sizeof *m->key);
		m->value = calloc(m->room, sizeof *m->value);
		if (!m->key || !m->value)
			abort();
		for (size_t i = 0; i < old.room; i++)
			if (old.key[i]) {
				size_t at = slot_of(m, old.key[i]);
				m->key[at] = old.key[i];
				m->value[at] = old.value[i];
			}
		free(old.key);
		free(old.value);
	}
	size_t at = slot_of(m, key);
	m->count += !m->key[at];
	m->key[at] = (void *)key;
	m->value[at] = value;
}

bool vmap_get(const struct vmap *m, const void *key, uint64_t *value)
{
	if (!m->room)
		return false;
	size_t at = slot_of(m, key);
	if (!m->key[at])
		return false;
	*value = m->value[at];
	return true;
}

void vmap_release(struct vmap *m)
{
	free(m->key);
	free(m->value);
	memset(m, 0, sizeof *m);
}
