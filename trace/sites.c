/* trace/sites.c -- sections of site tables: checked when added, descriptors decoded on first use (descriptor.c, unit.c).
 *   (1) a unit's tables lie inside the unit, the unit inside its section;
 *   (2) units are kept sorted by address and do not overlap.
 * Finding a known descriptor is one probe of an open table; decoding one is linear in its length. */
#include "trace/sites.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "trace/sites_inside.h"
#include "wire/ring.h"
#include "wire/version.h"

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
	const struct unit *u = unit_of(s, address);
	struct site *d = u ? descriptor_read(&s->arena, u, address) : NULL;
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

void sites_index(struct sites *s, const struct unit *u)
{
	unit_index((struct unit *)u, &s->arena);
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
