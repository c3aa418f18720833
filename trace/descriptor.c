/* trace/descriptor.c -- one descriptor of a site table: what a group, an atomic operation or a library call records (wire/sites.h).
 * Whatever the bytes are: a descriptor that was read names only slots inside its payload and only accesses before the one that names them. */
#include <stdlib.h>
#include <string.h>

#include "trace/sites_inside.h"
#include "wire/ring.h"

#define WIDE_MAX   32768u                        /* bytes of one access */
#define EVENTS_MAX 8192u                         /* events of one group */

static void read_address(struct cursor *c, const struct unit *u, const struct site *d, unsigned i, struct access *a)
{
	switch (a->address_mode) {
	case A_SLOT:
		a->address_at = (uint16_t)below(c, d->payload);
		if (a->address_at + 8u > d->payload)
			c->bad = true;
		return;
	case A_GLOBAL: {
		uint32_t index = below(c, u->head.relative_count);
		int32_t relative = 0;
		if (!c->bad)
			memcpy(&relative, u->bytes + u->head.relative_at + (size_t)index * 4, 4);
		a->distance = (int64_t)(u->address + (uint64_t)(int64_t)relative + (uint64_t)zigzag(c));
		return;
	}
	default:                                        /* A_NEAR, A_VALUE */
		a->address_at = (uint16_t)below(c, i);
		a->distance = zigzag(c);
		if (a->address_mode == A_VALUE && !c->bad && d->accesses[a->address_at].value_mode == V_NONE)
			c->bad = true;
	}
}

static void read_value(struct cursor *c, const struct site *d, unsigned i, struct access *a)
{
	switch (a->value_mode) {
	case V_SLOT:
		a->value_at = (uint16_t)below(c, d->payload);
		if (a->value_at + (uint32_t)a->size * a->elements > d->payload)
			c->bad = true;
		break;
	case V_CONST:
		a->bits = varint(c);
		break;
	case V_SAME:
		a->value_at = (uint16_t)below(c, i);
		break;
	}
}

/* A wide thing without a value (an aggregate) is split like a vector: events have at most 16 bytes. */
static void read_size(struct cursor *c, uint32_t shape, struct access *a)
{
	uint32_t size = below(c, WIDE_MAX), elements = shape & SHAPE_VECTOR ? below(c, WIDE_MAX) : 1;
	while (size > 16 && a->value_mode == V_NONE && elements <= WIDE_MAX) {
		uint32_t divisor = size % 2 == 0 ? 2 : size;
		size /= divisor;
		elements *= divisor;
	}
	if (size == 0 || size > 16 || elements == 0 || elements >= WIDE_MAX)
		c->bad = true;
	a->size = (uint8_t)size;
	a->elements = (uint16_t)elements;
}

static void read_accesses(struct cursor *c, struct arena *arena, const struct unit *u, struct site *d)
{
	uint32_t count = below(c, GROUP_ACCESSES + 1);
	d->accesses = arena_take(arena, (count ? count : 1) * sizeof *d->accesses);
	uint32_t events = 0;
	for (uint32_t i = 0; i < count && !c->bad; i++) {
		struct access *a = &d->accesses[i];
		uint32_t shape = below(c, 256);
		a->is_write = shape & SHAPE_WRITE;
		a->is_volatile = shape & SHAPE_VOLATILE;
		a->address_mode = SHAPE_ADDRESS(shape);
		a->value_mode = SHAPE_VALUE(shape);
		a->is_result = shape & SHAPE_RESULT;
		read_size(c, shape, a);
		a->ordinal = below(c, UINT32_MAX);
		a->place = below(c, UINT32_MAX);
		a->name = below(c, UINT32_MAX);
		if (a->is_result)
			a->address_mode = A_GLOBAL;     /* at 0 */
		else
			read_address(c, u, d, i, a);
		read_value(c, d, i, a);
		events += a->elements;
		d->access_count = (uint16_t)(i + 1);
	}
	d->event_count += events;
	if (events > EVENTS_MAX)
		c->bad = true;
}

static void read_mark(struct cursor *c, struct site_mark *m, bool named)
{
	m->ordinal = below(c, UINT32_MAX);
	m->place = below(c, UINT32_MAX);
	m->name = named ? below(c, UINT32_MAX) : 0;
}

static void read_call(struct cursor *c, struct site *d)
{
	read_mark(c, &d->call, true);
	d->hands_over = d->call.name & 1;
	d->call.name >>= 1;
	if (!d->call.name)
		d->called = (uint16_t)below(c, d->access_count + 1u);
}

static int by_value(const void *a, const void *b)
{
	const struct site_way *x = a, *y = b;
	return (x->value > y->value) - (x->value < y->value);
}

static void read_ways(struct cursor *c, struct arena *arena, struct site *d)
{
	if (!(d->flags & SITE_BRANCH))
		c->bad = true;
	d->way_count = below(c, (uint64_t)(c->end - c->at) / 2 + 1);    /* two bytes a case at least */
	d->ways = arena_take(arena, (d->way_count + 1) * sizeof *d->ways);
	for (uint32_t i = 0; i < d->way_count && !c->bad; i++) {
		d->ways[i].value = varint(c);
		d->ways[i].way = below(c, d->way_count + 1u);
	}
	qsort(d->ways, d->way_count, sizeof *d->ways, by_value);
}

uint32_t site_way(const struct site *d, uint64_t value)
{
	struct site_way wanted = { value, 0 };
	const struct site_way *found = d->way_count ? bsearch(&wanted, d->ways, d->way_count, sizeof *d->ways, by_value) : NULL;
	return found ? found->way : 0;
}

static void read_group(struct cursor *c, struct arena *arena, const struct unit *u, struct site *d)
{
	d->event_count = !!(d->flags & SITE_ENTER) + !!(d->flags & SITE_LEAVE) + !!(d->flags & SITE_LANDED) +
		!!(d->flags & SITE_CALL) + !!(d->flags & SITE_BRANCH);
	if (d->flags & SITE_LANDED) {
		d->landed_at = (uint16_t)below(c, d->payload);
		if (d->landed_at + 4u > d->payload)
			c->bad = true;
	}
	if (d->flags & SITE_ACCESS)
		read_accesses(c, arena, u, d);
	if (d->flags & SITE_CALL)
		read_call(c, d);
	if (d->flags & SITE_BRANCH) {
		read_mark(c, &d->branch, false);
		d->branch_at = (uint16_t)below(c, d->payload);
		d->branch_bytes = (uint8_t)below(c, 9);
		if (d->branch_bytes == 0 || d->branch_at + (uint32_t)d->branch_bytes > d->payload)
			c->bad = true;
	}
	if (d->flags & SITE_WAYS)
		read_ways(c, arena, d);
}

static void read_atomic(struct cursor *c, struct site *d)
{
	d->op = (uint8_t)below(c, 256);
	d->size = (uint8_t)below(c, 17);
	d->order = (uint8_t)below(c, 16);
	d->failure_order = (uint8_t)below(c, 16);
	d->weak = (uint8_t)below(c, 2);
	read_mark(c, &d->other, true);
}

struct site *descriptor_read(struct arena *arena, const struct unit *u, uint64_t address)
{
	if (address - u->address < sizeof(struct sites_unit) || address - u->address >= u->head.descriptors_end)
		return NULL;
	struct cursor c = { u->bytes + (address - u->address), u->bytes + u->head.descriptors_end, false };
	struct site *d = arena_take(arena, sizeof *d);
	*d = (struct site){ .address = address, .unit = u };
	d->flags = below(&c, 2 * SITE_WAYS);
	d->function = below(&c, UINT32_MAX);
	d->payload = (uint16_t)below(&c, GROUP_MAX - 8 + 1);
	if (d->payload % 8)
		c.bad = true;
	if (!c.bad && d->flags & SITE_ATOMIC)
		read_atomic(&c, d);
	else if (!c.bad && d->flags & SITE_LIBRARY)
		read_mark(&c, &d->other, true);
	else if (!c.bad)
		read_group(&c, arena, u, d);
	d->length = (uint32_t)(c.at - (u->bytes + (address - u->address)));
	return c.bad ? NULL : d;
}
