/* trace/sites_inside.h -- between sites.c (sections and what was decoded of them), descriptor.c and unit.c: a unit, and how its bytes are read. */
#ifndef RADDLE_TRACE_SITES_INSIDE_H
#define RADDLE_TRACE_SITES_INSIDE_H

#include "base/arena.h"
#include "trace/sites.h"

struct packed_place { uint64_t file, function; uint32_t line, column, inlined_at; };     /* offsets of strings */

struct unit {
	uint64_t address;
	const uint8_t *bytes;
	struct sites_unit head;
	/* places, and where the varint entries of functions start; found when first asked for */
	struct packed_place *places;
	uint32_t *function_at;
	uint32_t place_count, function_count;
};

/* A bounded reader of varints: runs dry rather than over. */
struct cursor { const uint8_t *at, *end; bool bad; };

static inline uint64_t varint(struct cursor *c)
{
	uint64_t value = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (c->at == c->end)
			break;
		uint8_t byte = *c->at++;
		value |= (uint64_t)(byte & 127) << shift;
		if (!(byte & 128))
			return value;
	}
	c->bad = true;
	return 0;
}

static inline int64_t zigzag(struct cursor *c)
{
	uint64_t v = varint(c);
	return (int64_t)(v >> 1 ^ -(v & 1));
}

static inline uint32_t below(struct cursor *c, uint64_t limit)         /* a varint that must be < limit */
{
	uint64_t v = varint(c);
	if (v >= limit)
		c->bad = true;
	return v < limit ? (uint32_t)v : 0;
}

/* The descriptor at this address, which lies in the unit, in memory of the arena; NULL: there is none, or it breaks a rule. */
struct site *descriptor_read(struct arena *arena, const struct unit *u, uint64_t address);
void unit_index(struct unit *u, struct arena *arena);           /* finds places and functions, once */

#endif
