/* drive/places.c -- see places.h.  The module table was written by the program: every text gets its end, every range is
 * checked, and objects are opened by build id, so that another file of that name names nothing. */
#include "drive/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cxx.h"
#include "base/map.h"
#include "base/vec.h"
#include "drive/object.h"
#include "trace/sites.h"

#define SHOWN_MOST 400

struct loaded {
	uint32_t index;                         /* in the ring's table */
	struct trace_module about;
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	const char *name;
	bool opened;
	struct object_block block;
};

struct places {
	VEC(struct loaded) objects;
	struct names strings;
	struct sites *sites;
	struct lines *lines;
	struct map known;                       /* code address -> its number in sources */
	VEC(struct source) sources;             /* file NULL: nothing is known of it */
};

static const char *keep(struct places *p, const char *text)
{
	return names_text(&p->strings, names_put(&p->strings, text, strlen(text)));
}

/* A symbol as people write it; "" for none. */
static const char *shown(struct places *p, const char *symbol)
{
	char text[SHOWN_MOST];
	if (!symbol)
		return "";
	return cxx_name(symbol, text, sizeof text) ? keep(p, text) : symbol;
}

static bool is_taken(const struct places *p, const char *name)
{
	for (size_t i = 0; i < p->objects.count; i++)
		if (p->objects.at[i].name && strcmp(p->objects.at[i].name, name) == 0)
			return true;
	return false;
}

/* What a schedule calls an object: its file, its path where two files are called the same, and with a number what was loaded again. */
static const char *short_name(struct places *p, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char numbered[sizeof ((struct module_entry *)0)->path + 16];
	if (!is_taken(p, name))
		return keep(p, name);
	if (!is_taken(p, path))
		return keep(p, path);
	for (uint32_t i = 2;; i++) {
		snprintf(numbered, sizeof numbered, "%s:%" PRIu32, path, i);
		if (!is_taken(p, numbered))
			return keep(p, numbered);
	}
}

static void take_module(struct places *p, uint32_t index, const struct module_entry *shared)
{
	struct module_entry m = *shared;
	m.path[sizeof m.path - 1] = 0;
	if (m.build_id_bytes > sizeof m.build_id)
		m.build_id_bytes = 0;
	if (m.low >= m.high || m.high > 1ull << 47 || m.base > m.low)
		return;
	const char *name = short_name(p, m.path), *path = keep(p, m.path);
	struct loaded *o = vec_add(&p->objects);
	o->index = index;
	o->about = (struct trace_module){ .path = path, .base = m.base, .low = m.low, .high = m.high };
	memcpy(o->build_id, m.build_id, sizeof o->build_id);
	o->build_id_bytes = m.build_id_bytes;
	for (uint32_t i = 0; i < m.build_id_bytes; i++) {       /* of every run: printf would take longer than all else here */
		o->about.build_id[2 * i] = "0123456789abcdef"[m.build_id[i] >> 4];
		o->about.build_id[2 * i + 1] = "0123456789abcdef"[m.build_id[i] & 15];
	}
	o->name = name;
}

struct places *places_new(const struct ring *r, uint32_t process)
{
	struct places *p = mem_take(sizeof *p);
	uint32_t count = __atomic_load_n(&r->head->next_module, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < count && i < RING_MODULES; i++) {
		const struct module_entry *m = ring_module(r, i);
		if (__atomic_load_n(&m->state, __ATOMIC_ACQUIRE) == 1 && m->process == process)
			take_module(p, i, m);
	}
	return p;
}

void places_free(struct places *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->objects.count; i++)
		free(p->objects.at[i].block.bytes);
	vec_release(&p->objects);
	names_release(&p->strings);
	sites_free(p->sites);
	lines_free(p->lines);
	map_release(&p->known);
	vec_release(&p->sources);
	mem_free(p);
}

/* ---------------------------------------------------------------- modules */

static uint32_t object_at(const struct places *p, uint64_t address)
{
	for (uint32_t i = 0; i < p->objects.count; i++)
		if (address >= p->objects.at[i].about.low && address < p->objects.at[i].about.high)
			return i;
	return UINT32_MAX;
}

bool places_locate(const struct places *p, uint64_t address, uint32_t *module, uint64_t *offset)
{
	uint32_t i = object_at(p, address);
	if (i == UINT32_MAX)
		return false;
	*module = p->objects.at[i].index;
	*offset = address - p->objects.at[i].about.base;
	return true;
}

const char *places_object_path(const struct places *p, size_t n)
{
	return n < p->objects.count ? p->objects.at[n].about.path : NULL;
}

const char *places_module_name(const struct places *p, uint32_t module)
{
	for (size_t i = 0; i < p->objects.count; i++)
		if (p->objects.at[i].index == module)
			return p->objects.at[i].name;
	return "";
}

bool places_address(const struct places *p, uint32_t module, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < p->objects.count; i++)
		if (p->objects.at[i].index == module) {
			*address = p->objects.at[i].about.base + offset;
			return true;
		}
	return false;
}

/* ---------------------------------------------------------------- source */

static const struct object_block *block_of(struct places *p, uint32_t object)
{
	struct loaded *o = &p->objects.at[object];
	struct err why;
	if (!o->opened) {
		struct object_load load = { o->about.path, o->about.base, o->about.low, o->about.high, o->build_id, o->build_id_bytes };
		o->opened = true;
		object_block(&o->block, &load);
		if (!p->sites)
			p->sites = sites_new();
		if (o->block.sites)
			sites_add(p->sites, o->block.sites_address, o->block.sites, o->block.sites_bytes, false, &why);
	}
	return &o->block;
}

static struct site *site_at(struct places *p, uint64_t address)
{
	uint32_t object = object_at(p, address);
	if (object == UINT32_MAX)
		return NULL;
	const struct object_block *b = block_of(p, object);
	if (!b->sites || address < b->sites_address || address - b->sites_address >= b->sites_bytes)
		return NULL;
	struct site *site = sites_find(p->sites, address);
	if (site)
		sites_index(p->sites, site->unit);
	return site;
}

static uint32_t place_of_site(const struct site *site, uint32_t nth)
{
	if (site->flags & SITE_ACCESS && site->access_count)
		return site->accesses[nth < site->access_count ? nth : 0].place;
	return site->flags & (SITE_ATOMIC | SITE_LIBRARY) ? site->other.place : site->call.place;
}

/* A line of the program, not of a header of the system. */
static bool is_own(const char *file)
{
	return file && *file && strncmp(file, "/usr/", 5) != 0;
}

static struct source source_of(const struct unit_place *at)
{
	return (struct source){ at->file ? at->file : "", at->function ? at->function : "", at->line };
}

/* Of what was inlined the innermost line that is the program's own, as place_own() has it. */
static bool own_place(const struct site *site, uint32_t nth, struct unit_place *own)
{
	struct unit_place innermost;
	if (!unit_place(site->unit, place_of_site(site, nth), &innermost))
		return false;
	*own = innermost;
	for (unsigned i = 0; i < LINES_INLINED && !is_own(own->file) && own->inlined_at; i++)
		if (!unit_place(site->unit, own->inlined_at - 1, own))
			break;
	if (!is_own(own->file))
		*own = innermost;
	return true;
}

static bool from_site(const struct site *site, uint32_t nth, struct source *out)
{
	struct unit_place own;
	if (!own_place(site, nth, &own))
		return false;
	*out = source_of(&own);
	return true;
}

bool places_line(struct places *p, uint64_t address, struct line *out)
{
	uint32_t object = object_at(p, address - 1);            /* the call is before the return address */
	if (object == UINT32_MAX)
		return false;
	if (!p->lines)
		p->lines = lines_new();
	return lines_find(p->lines, object, &p->objects.at[object].about, address - 1, out);
}

/* The same of a call that returns to `address`: how many of the lines it was inlined into, innermost first, are not the program's own. */
static unsigned until_own(struct places *p, uint32_t object, uint64_t address, struct line lines[LINES_INLINED], unsigned *count)
{
	unsigned i = 0;
	*count = lines_inlined(p->lines, object, &p->objects.at[object].about, address - 1, lines);
	while (i < *count && !is_own(lines[i].file))
		i++;
	return i;
}

static bool look_up_code(struct places *p, uint64_t address, struct source *out)
{
	uint32_t object = object_at(p, address - 1);
	struct line line, lines[LINES_INLINED];
	uint64_t offset;
	unsigned count, own;
	if (object == UINT32_MAX)
		return false;
	const char *symbol = object_symbol(block_of(p, object), address - 1, &offset);
	if (places_line(p, address, &line)) {
		if (!is_own(line.file) && (own = until_own(p, object, address, lines, &count)) < count)
			line = lines[own];
		*out = (struct source){ line.file, shown(p, line.function ? line.function : symbol), line.line };
		return true;
	}
	*out = (struct source){ "", shown(p, symbol), 0 };
	return symbol != NULL;
}

/* A schedule names the same few places again and again, and debug information answers slowly. */
static bool from_code(struct places *p, uint64_t address, struct source *out)
{
	bool fresh;
	uint64_t *number = map_put(&p->known, address, &fresh);
	if (fresh) {
		*number = p->sources.count;
		struct source source = { 0 };
		bool found = look_up_code(p, address, &source);
		vec_push(&p->sources, found ? source : (struct source){ 0 });
		number = map_get(&p->known, address);
	}
	if (!p->sources.at[*number].file)
		return false;
	*out = p->sources.at[*number];
	return true;
}

bool places_source(struct places *p, uint64_t place, struct source *out)
{
	uint64_t address = place & RECORD_ADDRESS_MASK;
	*out = (struct source){ "", "", 0 };
	const struct site *site = address ? site_at(p, address) : NULL;
	return site ? from_site(site, (uint32_t)(place >> 48), out) : address && from_code(p, address, out);
}

bool places_function(struct places *p, uint64_t descriptor, struct source *out)
{
	struct unit_function f;
	const struct site *site = descriptor ? site_at(p, descriptor & RECORD_ADDRESS_MASK) : NULL;
	*out = (struct source){ "", "", 0 };
	if (!site || !unit_function(site->unit, site->function, &f))
		return false;
	*out = (struct source){ f.file ? f.file : "", f.display ? f.display : f.linkage ? f.linkage : "", f.line };
	return true;
}

/* ---- stacks ---- */

struct stack { struct places *p; struct source *out; unsigned count, most; };

static void push(struct stack *s, struct source at)
{
	if (s->count < s->most)
		s->out[s->count++] = at;
}

/* The functions a return address was inlined into, beyond what places_source() says of it. */
static void push_inlined(struct stack *s, uint64_t returns)
{
	struct line innermost, lines[LINES_INLINED];
	unsigned count, begin;
	uint32_t object = object_at(s->p, returns - 1);
	if (object == UINT32_MAX || !places_line(s->p, returns, &innermost))
		return;
	begin = until_own(s->p, object, returns, lines, &count);
	for (unsigned i = is_own(innermost.file) || begin == count ? 0 : begin + 1; i < count; i++)
		push(s, (struct source){ lines[i].file, shown(s->p, lines[i].function), lines[i].line });
}

static void push_inlined_site(struct stack *s, const struct site *site, uint32_t nth)
{
	struct unit_place at;
	for (bool more = own_place(site, nth, &at); more && at.inlined_at && s->count < s->most;) {
		more = unit_place(site->unit, at.inlined_at - 1, &at);
		if (more)
			push(s, source_of(&at));
	}
}

/* Is the code in front of this return address part of that function? */
static bool returns_into(struct places *p, uint64_t returns, uint64_t descriptor)
{
	struct unit_function f;
	uint64_t offset;
	uint32_t object = object_at(p, returns - 1);
	const struct site *site = site_at(p, descriptor & RECORD_ADDRESS_MASK);
	const char *symbol = object == UINT32_MAX ? NULL : object_symbol(block_of(p, object), returns - 1, &offset);
	return symbol && site && unit_function(site->unit, site->function, &f) && f.linkage && !strcmp(symbol, f.linkage);
}

/* Where the call stands is not known. */
static void push_function(struct stack *s, uint64_t descriptor)
{
	struct source at;
	if (places_function(s->p, descriptor, &at))
		push(s, (struct source){ at.file, at.function, 0 });
}

unsigned places_callers(struct places *p, uint64_t place, const struct area_frame *frames, size_t count, struct source *out, unsigned most)
{
	uint64_t address = place & RECORD_ADDRESS_MASK;
	struct stack s = { p, out, 0, most };
	struct source at;
	const struct site *site = address ? site_at(p, address) : NULL;
	if (site)
		push_inlined_site(&s, site, (uint32_t)(place >> 48));
	else if (address && from_code(p, address, &at) && at.line)
		push_inlined(&s, address);
	if (!site && count && (!address || !returns_into(p, address, frames[count - 1].entered)))
		push_function(&s, frames[count - 1].entered);
	for (size_t i = count; i-- > 1 && s.count < most;) {
		bool known = frames[i].returns && from_code(p, frames[i].returns, &at);
		if (known) {
			push(&s, at);
			push_inlined(&s, frames[i].returns);
		}
		if (!known || !returns_into(p, frames[i].returns, frames[i - 1].entered))
			push_function(&s, frames[i - 1].entered);
	}
	return s.count;
}

char *places_object(struct places *p, uint64_t address, char *into, size_t room)
{
	uint32_t object = object_at(p, address);
	uint64_t offset = 0;
	const char *symbol = object == UINT32_MAX ? NULL : object_symbol(block_of(p, object), address, &offset);
	if (symbol)
		symbol = shown(p, symbol);
	if (symbol && offset)
		snprintf(into, room, "%s+%" PRIu64, symbol, offset);
	else if (symbol)
		snprintf(into, room, "%s", symbol);
	else
		snprintf(into, room, "0x%" PRIx64, address);
	return into;
}
