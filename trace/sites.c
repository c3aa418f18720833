/* trace/sites.c -- sections of site tables: checked when added, descriptors decoded on first use.
 *   (1) a unit's tables lie inside the unit, the unit inside its section;
 *   (2) a decoded descriptor names only slots inside its payload and only accesses before the one that names them;
 *   (3) units are kept sorted by address and do not overlap.
 * Finding a known descriptor is one probe of an open table; decoding one is linear in its length. */
#include "trace/sites.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "wire/ring.h"
#include "wire/version.h"

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

#define WIDE_MAX   32768u                        /* bytes of one access */
#define EVENTS_MAX 8192u                         /* events of one group */

struct section { uint64_t address; const uint8_t *bytes; size_t count; };
struct cell { uint64_t address; struct site *site; };           /* site NULL and address not 0: known not to be one */

struct sites {
	struct arena arena;
	VEC(struct section) sections;
	VEC(struct unit *) units;               /* sorted by address */
	VEC(struct site *) decoded;
	struct cell *cells;
	size_t cell_count, cell_room;
};

/* ---- a bounded reader of varints: runs dry rather than over ---- */

struct cursor { const uint8_t *at, *end; bool bad; };

static uint64_t varint(struct cursor *c)
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

static int64_t zigzag(struct cursor *c)
{
	uint64_t v = varint(c);
	return (int64_t)(v >> 1 ^ -(v & 1));
}

static uint32_t below(struct cursor *c, uint64_t limit)         /* a varint that must be < limit */
{
	uint64_t v = varint(c);
	if (v >= limit)
		c->bad = true;
	return v < limit ? (uint32_t)v : 0;
}

/* ---- sections and units ---- */

struct sites *sites_new(void)
{
	return mem_take(sizeof(struct sites));
}

void sites_free(struct sites *s)
{
	if (!s)
		return;
	vec_release(&s->sections);
	vec_release(&s->units);
	vec_release(&s->decoded);
	mem_free(s->cells);
	arena_release(&s->arena);
	mem_free(s);
}

void *sites_take(struct sites *s, size_t bytes)
{
	return arena_take(&s->arena, bytes);
}

static bool table_fits(uint32_t at, uint64_t bytes, uint32_t unit_bytes)
{
	return at <= unit_bytes && bytes <= unit_bytes - at;
}

static const char *unit_fault(const struct sites_unit *h, size_t room)
{
	if (h->magic != SITES_MAGIC)
		return "a unit does not begin with its magic";
	if (h->version != WIRE_SITES_VERSION)
		return "a unit has another version";
	if (h->bytes < sizeof *h || h->bytes > room)
		return "a unit is larger than the section";
	if (h->descriptors_end < sizeof *h || h->descriptors_end > h->bytes)
		return "its descriptors end outside the unit";
	if (!table_fits(h->relative_at, (uint64_t)h->relative_count * 4, h->bytes) || !table_fits(h->functions_at, 0, h->bytes) ||
		!table_fits(h->places_at, 0, h->bytes) || !table_fits(h->strings_at, h->strings_bytes, h->bytes))
		return "one of its tables lies outside the unit";
	return NULL;
}

static void add_unit(struct sites *s, uint64_t address, const uint8_t *bytes, const struct sites_unit *head)
{
	struct unit *u = arena_take(&s->arena, sizeof *u);
	*u = (struct unit){ .address = address, .bytes = bytes, .head = *head };
	(void)vec_add(&s->units);
	size_t i = s->units.count - 1;
	while (i > 0 && s->units.at[i - 1]->address > address) {
		s->units.at[i] = s->units.at[i - 1];
		i--;
	}
	s->units.at[i] = u;
}

static int other_version(size_t at, uint32_t version, struct err *why)
{
	err_set(why, "site table at %#zx: version %u, this raddle reads %u", at, version, WIRE_SITES_VERSION);
	return err_hint(why, "build the program again with this raddle's raddle-cc and record it again, "
		"or read it with the raddle that recorded it");
}

/* Looks at every unit, and adds each if `adding`.  0, or -1 and why. */
static int walk_units(struct sites *s, uint64_t address, const uint8_t *bytes, size_t count, bool adding, struct err *why)
{
	size_t at = 0;
	while (count - at >= 8) {
		struct sites_unit head = { 0 };
		uint64_t word;
		memcpy(&word, bytes + at, 8);
		if (word == 0) {                        /* padding between units */
			at += 8;
			continue;
		}
		memcpy(&head, bytes + at, count - at < sizeof head ? count - at : sizeof head);
		const char *fault = count - at < sizeof head ? "it ends inside a unit" : unit_fault(&head, count - at);
		if (fault && head.magic == SITES_MAGIC && head.version != WIRE_SITES_VERSION && count - at >= sizeof head)
			return other_version(at, head.version, why);
		if (fault)
			return err_set(why, "site table at %#zx: %s", at, fault);
		if (adding)
			add_unit(s, address + at, bytes + at, &head);
		at += (head.bytes + 7ull) & ~7ull;
		if (at > count)
			break;
	}
	return 0;
}

static bool section_overlaps(const struct section *x, uint64_t address, size_t count)
{
	return x->address < address + count && address < x->address + x->count;
}

static bool same_section(const struct section *x, uint64_t address, const void *bytes, size_t count)
{
	return x->address == address && x->count == count && memcmp(x->bytes, bytes, count) == 0;
}

bool sites_overlap(const struct sites *s, uint64_t address, size_t count)
{
	for (size_t i = 0; i < s->sections.count; i++)
		if (section_overlaps(&s->sections.at[i], address, count))
			return true;
	return false;
}

bool sites_has(const struct sites *s, uint64_t address, const void *bytes, size_t count)
{
	for (size_t i = 0; i < s->sections.count; i++)
		if (same_section(&s->sections.at[i], address, bytes, count))
			return true;
	return false;
}

void sites_copy(struct sites *to, const struct sites *from)
{
	struct err ignored;
	for (size_t i = 0; i < from->sections.count; i++) {
		const struct section *x = &from->sections.at[i];
		check(sites_add(to, x->address, x->bytes, x->count, false, &ignored) == 0);
	}
}

static void forget_all_decoded(struct sites *s)
{
	mem_free(s->cells);
	s->cells = NULL;
	s->cell_count = s->cell_room = 0;
}

static void drop_section(struct sites *s, size_t i)
{
	struct section gone = s->sections.at[i];
	size_t kept = 0;
	for (size_t k = 0; k < s->units.count; k++)
		if (s->units.at[k]->address - gone.address >= gone.count)
			s->units.at[kept++] = s->units.at[k];
	s->units.count = kept;
	s->sections.at[i] = s->sections.at[--s->sections.count];
}

int sites_add(struct sites *s, uint64_t address, const void *bytes, size_t count, bool copy, struct err *why)
{
	if (address == 0 || address >= RECORD_CONTROL || count > RECORD_CONTROL - address)
		return err_set(why, "site table lies at an impossible address %#llx", (unsigned long long)address);
	if (sites_has(s, address, bytes, count))
		return 0;
	if (walk_units(s, address, bytes, count, false, why))
		return -1;
	for (size_t i = s->sections.count; i-- > 0;)
		if (section_overlaps(&s->sections.at[i], address, count))
			drop_section(s, i);
	forget_all_decoded(s);                          /* an address once unknown may be known now */
	if (copy && count) {
		void *mine = arena_take(&s->arena, count);
		memcpy(mine, bytes, count);
		bytes = mine;
	}
	vec_push(&s->sections, ((struct section){ address, bytes, count }));
	return walk_units(s, address, bytes, count, true, why);
}

static const struct unit *unit_of(const struct sites *s, uint64_t address)
{
	size_t low = 0, high = s->units.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->units.at[middle]->address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	const struct unit *u = s->units.at[low - 1];
	return address - u->address < u->head.bytes ? u : NULL;
}

/* ---- descriptors ---- */

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

static void read_accesses(struct cursor *c, struct sites *s, const struct unit *u, struct site *d)
{
	uint32_t count = below(c, GROUP_ACCESSES + 1);
	d->accesses = arena_take(&s->arena, (count ? count : 1) * sizeof *d->accesses);
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

static void read_group(struct cursor *c, struct sites *s, const struct unit *u, struct site *d)
{
	d->event_count = !!(d->flags & SITE_ENTER) + !!(d->flags & SITE_LEAVE) + !!(d->flags & SITE_LANDED) +
		!!(d->flags & SITE_CALL) + !!(d->flags & SITE_BRANCH);
	if (d->flags & SITE_LANDED) {
		d->landed_at = (uint16_t)below(c, d->payload);
		if (d->landed_at + 4u > d->payload)
			c->bad = true;
	}
	if (d->flags & SITE_ACCESS)
		read_accesses(c, s, u, d);
	if (d->flags & SITE_CALL)
		read_call(c, d);
	if (d->flags & SITE_BRANCH) {
		read_mark(c, &d->branch, false);
		d->branch_at = (uint16_t)below(c, d->payload);
		d->branch_bytes = (uint8_t)below(c, 9);
		if (d->branch_bytes == 0 || d->branch_at + (uint32_t)d->branch_bytes > d->payload)
			c->bad = true;
	}
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

static struct site *decode(struct sites *s, uint64_t address)
{
	const struct unit *u = unit_of(s, address);
	if (!u || address - u->address < sizeof(struct sites_unit) || address - u->address >= u->head.descriptors_end)
		return NULL;
	struct cursor c = { u->bytes + (address - u->address), u->bytes + u->head.descriptors_end, false };
	struct site *d = arena_take(&s->arena, sizeof *d);
	*d = (struct site){ .address = address, .unit = u };
	d->flags = below(&c, 2 * SITE_SKIPS);
	d->function = below(&c, UINT32_MAX);
	d->payload = (uint16_t)below(&c, GROUP_MAX - 8 + 1);
	if (d->payload % 8)
		c.bad = true;
	if (!c.bad && d->flags & SITE_ATOMIC)
		read_atomic(&c, d);
	else if (!c.bad && d->flags & SITE_LIBRARY)
		read_mark(&c, &d->other, true);
	else if (!c.bad)
		read_group(&c, s, u, d);
	d->length = (uint32_t)(c.at - (u->bytes + (address - u->address)));
	return c.bad ? NULL : d;
}

/* ---- the table of what was decoded ---- */

static struct cell *probe(const struct sites *s, uint64_t address)
{
	size_t at = (size_t)(address * 0x9e3779b97f4a7c15ull >> 32) & (s->cell_room - 1);
	while (s->cells[at].address && s->cells[at].address != address)
		at = (at + 1) & (s->cell_room - 1);
	return &s->cells[at];
}

static void grow(struct sites *s)
{
	struct cell *old = s->cells;
	size_t room = s->cell_room;
	s->cell_room = room ? room * 2 : 1024;
	s->cells = mem_take(s->cell_room * sizeof *s->cells);
	for (size_t i = 0; i < room; i++)
		if (old[i].address)
			*probe(s, old[i].address) = old[i];
	mem_free(old);
}

struct site *sites_find(struct sites *s, uint64_t address)
{
	if (address == 0)
		return NULL;
	if (s->cell_count * 2 >= s->cell_room)
		grow(s);
	struct cell *c = probe(s, address);
	if (c->address == address)
		return c->site;
	struct site *d = decode(s, address);
	if (!d)
		return NULL;                            /* not remembered: garbage must not fill the table */
	d->number = (uint32_t)s->decoded.count;
	vec_push(&s->decoded, d);
	*c = (struct cell){ address, d };
	s->cell_count++;
	return d;
}

void sites_each(struct sites *s, void (*told)(void *with, const struct site *site), void *with)
{
	for (size_t i = 0; i < s->units.count; i++) {
		const struct unit *u = s->units.at[i];
		sites_index(s, u);
		for (uint32_t at = sizeof(struct sites_unit); at < u->head.descriptors_end;) {
			const struct site *d = sites_find(s, u->address + at);
			if (!d)
				break;
			told(with, d);
			at += d->length;
		}
	}
}

struct site *sites_at(const struct sites *s, uint32_t number)
{
	check(number < s->decoded.count);
	return s->decoded.at[number];
}

/* ---- the tables of a unit ---- */

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
static void read_places(struct sites *s, struct unit *u)
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
	u->places = arena_take(&s->arena, (places.count + 1) * sizeof *u->places);
	if (places.count)
		memcpy(u->places, places.at, places.count * sizeof *u->places);
	vec_release(&places);
}

static void find_entries(struct sites *s, struct unit *u)
{
	if (u->places)
		return;
	read_places(s, u);
	uint32_t *functions = entry_starts(u, u->head.functions_at, u->head.function_count, 4, &u->function_count);
	u->function_at = arena_take(&s->arena, u->function_count * 4 + 4u);
	if (functions)
		memcpy(u->function_at, functions, u->function_count * (size_t)4);
	mem_free(functions);
}

void sites_index(struct sites *s, const struct unit *u)
{
	find_entries(s, (struct unit *)u);
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

void sites_functions(struct sites *s, void (*told)(void *with, const char *linkage), void *with)
{
	struct unit_function function;
	for (size_t i = 0; i < s->units.count; i++) {
		sites_index(s, s->units.at[i]);
		for (uint32_t k = 0; unit_function(s->units.at[i], k, &function); k++)
			told(with, function.linkage);
	}
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

/* ---- records ---- */

size_t record_bytes(struct sites *s, const uint8_t *at, size_t room, struct site **site)
{
	uint64_t word;
	*site = NULL;
	if (room < 8)
		return 0;
	memcpy(&word, at, 8);
	size_t bytes = RECORD_WORDS * 8;
	if (word & RECORD_CONTROL) {
		uint64_t last;
		if (room < bytes)
			return 0;
		memcpy(&last, at + 32, 8);
		if (word >> 56 & RECORD_PAYLOAD)
			bytes += ((last >> 48) + 7) / 8 * 8;
	} else {
		*site = sites_find(s, word);
		if (!*site || (*site)->flags & (SITE_ATOMIC | SITE_LIBRARY))
			return 0;
		bytes = 8u + (*site)->payload;
	}
	return bytes <= room ? bytes : 0;
}
