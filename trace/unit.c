/* trace/unit.c -- the tables of one unit of a site table: strings, places, functions; and the name a site has in every build.
 * Every offset is held against the unit before it is followed; what lies outside is an empty string or nothing. */
#include <string.h>

#include "base/vec.h"
#include "trace/sites_inside.h"

uint64_t unit_address(const struct unit *u)
{
	return u->address;
}

static const char *string_at(const struct unit *u, uint64_t offset)
{
	if (offset >= u->head.strings_bytes)
		return NULL;
	const char *text = (const char *)u->bytes + u->head.strings_at + offset;
	return memchr(text, 0, u->head.strings_bytes - offset) ? text : NULL;
}

static const char *text_or_empty(const struct unit *u, uint64_t offset)
{
	const char *text = string_at(u, offset);
	return text ? text : "";
}

const char *unit_name(const struct unit *u)
{
	return text_or_empty(u, u->head.unit_name);
}

const char *unit_string(const struct unit *u, uint32_t name)
{
	return name ? string_at(u, name - 1u) : NULL;
}

/* Where each of `claimed` entries of `fields` varints starts; stops where the unit does. */
static uint32_t *entry_starts(const struct unit *u, uint32_t at, uint32_t claimed, unsigned fields, uint32_t *count)
{
	struct cursor c = { u->bytes + at, u->bytes + u->head.bytes, false };
	VEC(uint32_t) starts = { 0 };
	while (starts.count < claimed) {
		uint32_t start = (uint32_t)(c.at - u->bytes);
		for (unsigned i = 0; i < fields; i++)
			varint(&c);
		if (c.bad)
			break;
		vec_push(&starts, start);
	}
	*count = (uint32_t)starts.count;
	return starts.at;
}

static uint32_t number(struct cursor *c)
{
	uint64_t v = varint(c);
	return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

/* Entries as wire/sites.h has them; stops where the unit does. */
static void read_places(struct unit *u, struct arena *arena)
{
	struct cursor c = { u->bytes + u->head.places_at, u->bytes + u->head.bytes, false };
	VEC(struct packed_place) places = { 0 };
	struct packed_place p = { 0 };
	while (places.count < u->head.place_count) {
		uint64_t step = varint(&c);
		p.line += (uint32_t)(step >> 2 ^ -(step >> 1 & 1));
		if (step & 1) {
			p.file = varint(&c);
			p.function = varint(&c);
			p.inlined_at = number(&c);
		}
		p.column = number(&c);
		if (c.bad)
			break;
		vec_push(&places, p);
	}
	u->place_count = (uint32_t)places.count;
	u->places = arena_take(arena, (places.count + 1) * sizeof *u->places);
	if (places.count)
		memcpy(u->places, places.at, places.count * sizeof *u->places);
	vec_release(&places);
}

void unit_index(struct unit *u, struct arena *arena)
{
	if (u->places)
		return;
	read_places(u, arena);
	uint32_t *functions = entry_starts(u, u->head.functions_at, u->head.function_count, 4, &u->function_count);
	u->function_at = arena_take(arena, u->function_count * 4 + 4u);
	if (functions)
		memcpy(u->function_at, functions, u->function_count * (size_t)4);
	mem_free(functions);
}

uint32_t unit_place_count(const struct unit *u)
{
	check(u->places);
	return u->place_count;
}

bool unit_place(const struct unit *u, uint32_t index, struct unit_place *out)
{
	check(u->places);
	if (index >= u->place_count)
		return false;
	const struct packed_place *p = &u->places[index];
	out->file = text_or_empty(u, p->file);
	out->function = text_or_empty(u, p->function);
	out->line = p->line;
	out->column = p->column;
	out->inlined_at = p->inlined_at <= index ? p->inlined_at : 0;   /* only earlier places: no cycles */
	return true;
}

bool unit_function(const struct unit *u, uint32_t index, struct unit_function *out)
{
	check(u->function_at);
	if (index >= u->function_count)
		return false;
	struct cursor c = { u->bytes + u->function_at[index], u->bytes + u->head.bytes, false };
	out->linkage = text_or_empty(u, varint(&c));
	out->display = text_or_empty(u, varint(&c));
	out->file = text_or_empty(u, varint(&c));
	out->line = number(&c);
	return true;
}

static uint64_t fnv(uint64_t hash, const void *bytes, size_t count)
{
	const uint8_t *at = bytes;
	while (count--)
		hash = (hash ^ *at++) * 0x100000001b3ull;
	return hash;
}

uint64_t site_identity(const char *unit, const char *linkage, uint32_t ordinal)
{
	uint64_t hash = fnv(0xcbf29ce484222325ull, unit, strlen(unit) + 1);
	hash = fnv(hash, linkage, strlen(linkage) + 1);
	uint8_t low_first[4] = { (uint8_t)ordinal, (uint8_t)(ordinal >> 8), (uint8_t)(ordinal >> 16), (uint8_t)(ordinal >> 24) };
	return fnv(hash, low_first, 4);
}
