/* trace/modules.c -- the objects that were loaded: MODULE blocks, their symbols, their site tables.
 *   (1) names and tables point into payloads the trace keeps; each was checked to end inside its payload;
 *   (2) where a module was loaded over the sites of another, a new set of tables begins: blocks written before keep the
 *       old one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/inside.h"

#define SYMBOL_BYTES 24u
enum { SYMBOL_FUNCTION = 1, SYMBOL_OBJECT = 2 };

struct parts { const uint8_t *path, *build_id, *sites, *symbols, *names; };

static const char *split(const uint8_t *bytes, size_t count, struct module_block *m, struct parts *p)
{
	if (count < sizeof *m)
		return "is too short for a module";
	memcpy(m, bytes, sizeof *m);
	uint64_t need = sizeof *m + (uint64_t)m->path_bytes + m->build_id_bytes + m->sites_bytes +
		(uint64_t)m->symbol_count * SYMBOL_BYTES + m->symbol_bytes;
	if (need != count)
		return "names more or fewer bytes of a module than it has";
	p->path = bytes + sizeof *m;
	p->build_id = p->path + m->path_bytes;
	p->sites = p->build_id + m->build_id_bytes;
	p->symbols = p->sites + m->sites_bytes;
	p->names = p->symbols + (size_t)m->symbol_count * SYMBOL_BYTES;
	return NULL;
}

static void take_symbols(struct trace *t, const struct module_block *m, const struct parts *p)
{
	for (uint32_t i = 0; i < m->symbol_count; i++) {
		const uint8_t *at = p->symbols + (size_t)i * SYMBOL_BYTES;
		struct symbol s = { 0 };
		uint32_t name, type;
		memcpy(&s.address, at, 8);
		memcpy(&s.size, at + 8, 8);
		memcpy(&name, at + 16, 4);
		memcpy(&type, at + 20, 4);
		if (name >= m->symbol_bytes || !memchr(p->names + name, 0, m->symbol_bytes - name))
			continue;
		s.name = (const char *)p->names + name;
		if (type == SYMBOL_FUNCTION)
			vec_push(&t->functions, s);
		else if (type == SYMBOL_OBJECT)
			vec_push(&t->objects, s);
	}
}

/* Adds the table to the current set, or begins a new set when it takes the place of another. */
static int take_sites(struct trace *t, const struct module_block *m, const struct parts *p, struct err *why)
{
	if (m->sites_address == 0 || m->sites_bytes == 0)
		return 0;
	struct sites *now = t->sites.at[t->sites.count - 1];
	if (sites_overlap(now, m->sites_address, m->sites_bytes) && !sites_has(now, m->sites_address, p->sites, m->sites_bytes)) {
		struct sites *next = sites_new();
		sites_copy(next, now);
		vec_push(&t->sites, next);
		now = next;
	}
	return sites_add(now, m->sites_address, p->sites, m->sites_bytes, false, why);
}

int modules_add(struct trace *t, const uint8_t *bytes, size_t count, const char **fault, struct err *why)
{
	struct module_block m;
	struct parts p;
	*fault = split(bytes, count, &m, &p);
	if (*fault)
		return -1;
	if (take_sites(t, &m, &p, why))
		return -1;
	take_symbols(t, &m, &p);
	for (size_t i = 0; i < t->modules.count; i++)
		if (t->modules.at[i].base == m.base && t->modules.at[i].low == m.low &&
			strlen(t->modules.at[i].path) == m.path_bytes && memcmp(t->modules.at[i].path, p.path, m.path_bytes) == 0)
			return 0;                       /* loaded again */
	struct trace_module *x = vec_add(&t->modules);
	x->path = trace_intern(t, (const char *)p.path, strnlen((const char *)p.path, m.path_bytes));
	x->base = m.base;
	x->low = m.low;
	x->high = m.high;
	x->instrumented = m.sites_bytes != 0;
	for (uint32_t i = 0; i < m.build_id_bytes && i < 20; i++)
		snprintf(x->build_id + 2 * i, 3, "%02x", p.build_id[i]);
	return 0;
}

#define DIGIT 12u                                /* bits of an address sorted by at once */

/* By one digit of the address; those with the same stay as they are. */
static void sort_by_digit(const struct symbol *from, struct symbol *to, size_t count, unsigned shift)
{
	size_t before[1u << DIGIT] = { 0 }, at = 0;
	for (size_t i = 0; i < count; i++)
		before[from[i].address >> shift & ((1u << DIGIT) - 1)]++;
	for (size_t d = 0; d < 1u << DIGIT; d++) {
		size_t of_digit = before[d];
		before[d] = at;
		at += of_digit;
	}
	for (size_t i = 0; i < count; i++)
		to[before[from[i].address >> shift & ((1u << DIGIT) - 1)]++] = from[i];
}

static int by_size(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	return x->size > y->size ? -1 : x->size < y->size;
}

/* By address, of those at the same address the largest first.  There are thousands, of libraries, each time a trace is opened. */
static void sort_symbols(symbol_list *list)
{
	uint64_t differs = 0;
	struct symbol *other = mem_resize(NULL, list->count * sizeof *other);
	for (size_t i = 0; i < list->count; i++)
		differs |= list->at[i].address ^ list->at[0].address;
	for (unsigned shift = 0; shift < 64 && differs >> shift; shift += DIGIT)
		if (differs >> shift & ((1u << DIGIT) - 1)) {
			sort_by_digit(list->at, other, list->count, shift);
			memcpy(list->at, other, list->count * sizeof *other);
		}
	for (size_t i = 0, end; i < list->count; i = end) {
		for (end = i + 1; end < list->count && list->at[end].address == list->at[i].address; end++)
			;
		if (end - i > 1)
			qsort(list->at + i, end - i, sizeof *list->at, by_size);
	}
	mem_free(other);
}

void modules_ready(struct trace *t)
{
	sort_symbols(&t->objects);
	sort_symbols(&t->functions);
}

const struct trace_module *module_at(const struct trace *t, uint64_t address)
{
	for (size_t i = t->modules.count; i-- > 0;)
		if (address >= t->modules.at[i].low && address < t->modules.at[i].high)
			return &t->modules.at[i];
	return NULL;
}

/* Symbols may lie inside each other; the nearest one before the address that reaches it is found within a few steps. */
const struct symbol *symbol_at(const symbol_list *list, uint64_t address)
{
	size_t low = 0, high = list->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list->at[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	const struct symbol *mark = NULL;               /* of no size, as __TMC_END__: only if nothing else lies there */
	for (unsigned steps = 0; low-- > 0 && steps < 8; steps++) {
		uint64_t into = address - list->at[low].address;
		if (into < list->at[low].size)
			return &list->at[low];
		if (into == 0)
			mark = &list->at[low];
	}
	return mark;
}

const char *trace_symbol(const struct trace *t, uint64_t address, uint64_t *offset)
{
	const struct symbol *s = symbol_at(&t->objects, address);
	if (!s)
		return NULL;
	*offset = address - s->address;
	return s->name;
}

const char *trace_symbol_range(const struct trace *t, uint64_t address, uint64_t *start, uint64_t *bytes)
{
	const struct symbol *s = symbol_at(&t->objects, address);
	if (!s)
		return NULL;
	*start = s->address;
	*bytes = s->size ? s->size : 1;
	return s->name;
}

bool trace_symbol_named(const struct trace *t, const char *name, uint32_t nth, uint64_t *start, uint64_t *bytes)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < t->objects.count; i++) {
		const struct symbol *s = &t->objects.at[i];
		if (strncmp(s->name, name, length) || (s->name[length] && s->name[length] != '@') || nth--)
			continue;
		*start = s->address;
		*bytes = s->size ? s->size : 1;
		return true;
	}
	return false;
}

const char *trace_function_at(const struct trace *t, uint64_t address)
{
	const struct symbol *s = symbol_at(&t->functions, address);
	return s ? s->name : NULL;
}
