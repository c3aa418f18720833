/* tests/unit/made.h -- site tables and records made by hand, as the compiler plugin and the runtime would. */
#ifndef RADDLE_TESTS_MADE_H
#define RADDLE_TESTS_MADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "wire/kinds.h"
#include "wire/ring.h"
#include "wire/sites.h"
#include "wire/version.h"

#define MADE_AT 0x555555600000ull               /* where the section is loaded */

typedef VEC(uint8_t) made_bytes;

struct made {                                   /* one unit under construction */
	made_bytes descriptors, functions, places, strings, all;
	VEC(int32_t) relative;
	uint32_t function_count, place_count, last_line;
};

static inline void made_put(made_bytes *b, const void *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		vec_push(b, ((const uint8_t *)from)[i]);
}

static inline void made_varint(made_bytes *b, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		vec_push(b, (uint8_t)(v | 128));
	vec_push(b, (uint8_t)v);
}

static inline void made_signed(made_bytes *b, int64_t v)
{
	made_varint(b, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static inline uint32_t made_string(struct made *m, const char *text)
{
	uint32_t at = (uint32_t)m->strings.count;
	made_put(&m->strings, text, strlen(text) + 1);
	return at;
}

static inline uint32_t made_function(struct made *m, const char *name, const char *file, uint32_t line)
{
	uint32_t s = made_string(m, name);
	made_varint(&m->functions, s);
	made_varint(&m->functions, s);
	made_varint(&m->functions, made_string(m, file));
	made_varint(&m->functions, line);
	return m->function_count++;
}

static inline uint32_t made_place(struct made *m, const char *file, const char *function, uint32_t line, uint32_t inlined_at)
{
	int64_t step = (int64_t)line - (int64_t)m->last_line;
	made_varint(&m->places, (uint64_t)(step < 0 ? -step * 2 - 1 : step * 2) << 1 | 1);
	made_varint(&m->places, made_string(m, file));
	made_varint(&m->places, made_string(m, function));
	made_varint(&m->places, inlined_at);
	made_varint(&m->places, 1);
	m->last_line = line;
	return m->place_count++;
}

/* Another line of the place before; steps as they are written: up 2n, down 2n - 1. */
static inline uint32_t made_place_beside(struct made *m, uint32_t step, uint32_t column)
{
	made_varint(&m->places, (uint64_t)step << 1);
	made_varint(&m->places, column);
	return m->place_count++;
}

/* Starts a descriptor: its address once loaded. */
static inline uint64_t made_site(struct made *m, uint32_t flags, uint32_t function, uint32_t payload)
{
	uint64_t at = MADE_AT + sizeof(struct sites_unit) + m->descriptors.count;
	made_varint(&m->descriptors, flags);
	made_varint(&m->descriptors, function);
	made_varint(&m->descriptors, payload);
	return at;
}

/* One access; address: slot offset or earlier access; value: slot offset, bits or earlier access. */
static inline void made_access(struct made *m, bool write, unsigned size, unsigned mode, uint64_t address, int64_t distance,
	unsigned value_mode, uint64_t value, uint32_t place, uint32_t name)
{
	made_bytes *d = &m->descriptors;
	made_varint(d, (uint64_t)write | mode << 2 | value_mode << 4);
	made_varint(d, size);
	made_varint(d, 7 + place);                      /* ordinal */
	made_varint(d, place);
	made_varint(d, name);
	made_varint(d, address);
	if (mode != A_SLOT)
		made_signed(d, distance);
	if (value_mode != V_NONE)
		made_varint(d, value);
}

static inline void made_vector(struct made *m, bool write, unsigned size, unsigned elements, uint64_t address, uint64_t value)
{
	made_bytes *d = &m->descriptors;
	made_varint(d, (uint64_t)write | SHAPE_VECTOR);
	made_varint(d, size);
	made_varint(d, elements);
	made_varint(d, 9);
	made_varint(d, 0);
	made_varint(d, 0);
	made_varint(d, address);
	made_varint(d, value);
}

static inline void made_mark(struct made *m, uint32_t ordinal, uint32_t place, uint32_t name)
{
	made_varint(&m->descriptors, ordinal);
	made_varint(&m->descriptors, place);
	made_varint(&m->descriptors, name);
}

static inline void made_branch(struct made *m, uint32_t ordinal, uint32_t place, uint32_t offset, uint32_t size)
{
	made_mark(m, ordinal, place, offset);
	made_varint(&m->descriptors, size);
}

/* The section, in m->all. */
static inline void made_finish(struct made *m, const char *unit_name)
{
	struct sites_unit h = { .magic = SITES_MAGIC, .version = WIRE_SITES_VERSION, .level = 2 };
	h.unit_name = made_string(m, unit_name);
	while ((sizeof h + m->descriptors.count) % 4)
		vec_push(&m->descriptors, 0);
	h.descriptors_end = h.relative_at = (uint32_t)(sizeof h + m->descriptors.count);
	h.relative_count = (uint32_t)m->relative.count;
	h.functions_at = h.relative_at + 4 * h.relative_count;
	h.function_count = m->function_count;
	h.places_at = h.functions_at + (uint32_t)m->functions.count;
	h.place_count = m->place_count;
	h.strings_at = h.places_at + (uint32_t)m->places.count;
	h.strings_bytes = (uint32_t)m->strings.count;
	h.bytes = (h.strings_at + h.strings_bytes + 7) & ~7u;
	vec_clear(&m->all);
	made_put(&m->all, &h, sizeof h);
	made_put(&m->all, m->descriptors.at, m->descriptors.count);
	made_put(&m->all, m->relative.at, m->relative.count * 4);
	made_put(&m->all, m->functions.at, m->functions.count);
	made_put(&m->all, m->places.at, m->places.count);
	made_put(&m->all, m->strings.at, m->strings.count);
	while (m->all.count < h.bytes)
		vec_push(&m->all, 0);
}

static inline void made_release(struct made *m)
{
	vec_release(&m->descriptors);
	vec_release(&m->functions);
	vec_release(&m->places);
	vec_release(&m->strings);
	vec_release(&m->all);
	vec_release(&m->relative);
}

/* ---- records ---- */

static inline void made_word(made_bytes *b, uint64_t w)
{
	made_put(b, &w, 8);
}

static inline void made_control(made_bytes *b, enum event_kind kind, unsigned flags, uint64_t object, uint64_t arg,
	uint64_t version, uint64_t time, uint64_t last)
{
	made_word(b, RECORD_CONTROL | (uint64_t)flags << 56 | (uint64_t)kind << 48 | object);
	made_word(b, arg);
	made_word(b, version);
	made_word(b, time);
	made_word(b, last);
}

/* ---- a small program: the sites tests share ---- */

struct program {
	struct made m;
	uint64_t sum;           /* r a[i] (slot, 8 bytes), w s (global, 8 bytes), branch 1 byte */
	uint64_t copy;          /* r b[i] (4), w a[i] same value */
	uint64_t chase;         /* r p->value (4), r p->next (8, near), r next->value (through the value) */
	uint64_t enter, leave;  /* no payload */
	uint64_t call;          /* call of "puts" */
	uint64_t vector;        /* w 4 x 4 bytes */
	uint64_t fetch_add;     /* atomic */
	uint64_t wide;          /* r 16 bytes */
	uint64_t landed;
};

static inline void program_make(struct program *p)
{
	struct made *m = &p->m;
	memset(p, 0, sizeof *p);
	made_string(m, "");
	uint32_t f = made_function(m, "work", "work.c", 10);
	uint32_t outer = made_place(m, "work.c", "work", 12, 0);
	uint32_t inner = made_place(m, "list.h", "step", 5, outer + 1);
	uint32_t name = made_string(m, "total") + 1;
	vec_push(&m->relative, 0x10000);
	p->sum = made_site(m, SITE_ACCESS | SITE_BRANCH, f, 32);
	made_varint(&m->descriptors, 2);
	made_access(m, false, 8, A_SLOT, 0, 0, V_SLOT, 8, outer, 0);
	made_access(m, true, 8, A_GLOBAL, 0, 24, V_SLOT, 16, outer, name);
	made_branch(m, 3, outer, 24, 1);
	p->copy = made_site(m, SITE_ACCESS, f, 24);
	made_varint(&m->descriptors, 2);
	made_access(m, false, 4, A_SLOT, 0, 0, V_SLOT, 16, outer, 0);
	made_access(m, true, 4, A_SLOT, 8, 0, V_SAME, 0, outer, 0);
	p->chase = made_site(m, SITE_ACCESS, f, 24);
	made_varint(&m->descriptors, 3);
	made_access(m, false, 4, A_SLOT, 0, 0, V_SLOT, 16, inner, 0);
	made_access(m, false, 8, A_NEAR, 0, 8, V_SLOT, 8, inner, 0);
	made_access(m, false, 4, A_VALUE, 1, 0, V_SLOT, 20, inner, 0);
	p->enter = made_site(m, SITE_ENTER, f, 0);
	p->leave = made_site(m, SITE_LEAVE, f, 0);
	p->call = made_site(m, SITE_CALL, f, 0);
	made_mark(m, 4, outer, (made_string(m, "puts") + 1) << 1 | 1);      /* and hands a pointer over */
	p->vector = made_site(m, SITE_ACCESS, f, 24);
	made_varint(&m->descriptors, 1);
	made_vector(m, true, 4, 4, 0, 8);
	p->fetch_add = made_site(m, SITE_ATOMIC, f, 0);
	made_varint(&m->descriptors, AOP_ADD);
	made_varint(&m->descriptors, 4);
	made_varint(&m->descriptors, ORDER_ACQ_REL);
	made_varint(&m->descriptors, 0);
	made_varint(&m->descriptors, 0);
	made_mark(m, 5, outer, name);
	p->wide = made_site(m, SITE_ACCESS, f, 24);
	made_varint(&m->descriptors, 1);
	made_access(m, false, 16, A_SLOT, 0, 0, V_SLOT, 8, outer, 0);
	p->landed = made_site(m, SITE_LANDED, f, 8);
	made_varint(&m->descriptors, 4);
	made_finish(m, "work.c");
}

static inline void put_sum(const struct program *p, made_bytes *b, uint64_t address, uint64_t value, uint64_t sum, unsigned way)
{
	made_word(b, p->sum);
	made_word(b, address);
	made_word(b, value);
	made_word(b, sum);
	made_word(b, way);
}

static inline void put_copy(const struct program *p, made_bytes *b, uint64_t from, uint64_t to, uint32_t value)
{
	made_word(b, p->copy);
	made_word(b, from);
	made_word(b, to);
	made_word(b, value);
}

static inline void put_chase(const struct program *p, made_bytes *b, uint64_t node, uint32_t value, uint64_t next, uint32_t next_value)
{
	made_word(b, p->chase);
	made_word(b, node);
	made_word(b, next);
	made_word(b, value | (uint64_t)next_value << 32);
}

#endif
