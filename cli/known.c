/* cli/known.c -- joins site tables and model: same unit, same function, same ordinal. */
#include "cli/known.h"

#include <stdlib.h>
#include <string.h>

#include "drive/object.h"
#include "wire/kinds.h"

#define APART 40                                /* objects are laid this many bits apart: their tables must not overlap */

struct joining { struct known *k; struct model *m; };

static void add(struct joining *j, const struct site *s, struct known_site found, uint32_t place, uint32_t name)
{
	struct unit_function function;
	struct unit_place at;
	found.unit = unit_name(s->unit);
	found.linkage = unit_function(s->unit, s->function, &function) ? function.linkage : "";
	bool placed = unit_place(s->unit, place, &at);
	found.file = placed ? at.file : "";
	found.function = placed ? at.function : "";
	found.line = placed ? at.line : 0;
	found.name = unit_string(s->unit, name);
	found.value = model_site(j->m, found.unit, found.linkage, found.ordinal);
	if (found.kind == KNOWN_CALL)
		model_note_call(j->m, found.value, found.file, found.line);
	vec_push(&j->k->sites, found);
}

static void take(void *with, const struct site *s)
{
	struct joining *j = with;
	for (unsigned i = 0; i < s->access_count; i++) {
		const struct access *a = &s->accesses[i];
		if (a->is_result)
			continue;                               /* level full: no access, and numbered by itself */
		add(j, s, (struct known_site){ .kind = a->is_write ? KNOWN_WRITE : KNOWN_READ, .ordinal = a->ordinal,
			.size = (uint32_t)a->size * a->elements }, a->place, a->name);
	}
	if (s->flags & SITE_CALL)
		add(j, s, (struct known_site){ .kind = KNOWN_CALL, .ordinal = s->call.ordinal }, s->call.place, s->call.name);
	if (s->flags & SITE_BRANCH)
		add(j, s, (struct known_site){ .kind = KNOWN_BRANCH, .ordinal = s->branch.ordinal }, s->branch.place, 0);
	if (s->flags & SITE_ATOMIC)
		add(j, s, (struct known_site){ .kind = s->op == AOP_FENCE ? KNOWN_FENCE : KNOWN_ATOMIC, .ordinal = s->other.ordinal,
			.size = s->size }, s->other.place, s->other.name);
	if (s->flags & SITE_LIBRARY)
		add(j, s, (struct known_site){ .kind = KNOWN_LIBRARY, .ordinal = s->other.ordinal }, s->other.place, s->other.name);
}

static int by_value(const void *a, const void *b)
{
	const struct known_site *x = a, *y = b;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	if (x->value == NONE && strcmp(x->linkage, y->linkage))
		return strcmp(x->linkage, y->linkage);
	if (x->ordinal != y->ordinal)
		return x->ordinal < y->ordinal ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

static void each_once(struct known *k)
{
	size_t kept = 0;
	if (k->sites.count)
		qsort(k->sites.at, k->sites.count, sizeof *k->sites.at, by_value);
	for (size_t i = 0; i < k->sites.count; i++)
		if (!kept || by_value(&k->sites.at[kept - 1], &k->sites.at[i]))
			k->sites.at[kept++] = k->sites.at[i];
	k->sites.count = kept;
}

int known_open(struct known *k, struct model *m, const char *const *paths, size_t count, struct err *why)
{
	struct joining j = { k, m };
	memset(k, 0, sizeof *k);
	k->tables = sites_new();
	for (size_t i = 0; i < count; i++) {
		void *bytes;
		size_t size;
		uint64_t address;
		if (object_sites(paths[i], &bytes, &size, &address, why)) {
			known_close(k);
			return -1;
		}
		vec_push(&k->bytes, bytes);
		if (sites_add(k->tables, address + ((uint64_t)(i + 1) << APART), bytes, size, false, why)) {
			known_close(k);
			return -1;
		}
	}
	sites_each(k->tables, take, &j);
	each_once(k);
	return 0;
}

void known_close(struct known *k)
{
	sites_free(k->tables);
	for (size_t i = 0; i < k->bytes.count; i++)
		mem_free(k->bytes.at[i]);
	vec_release(&k->bytes);
	vec_release(&k->sites);
	k->tables = NULL;
}

const char *known_word(uint8_t kind)
{
	static const char *const words[] = { "read", "write", "atomic", "fence", "call", "library", "branch" };
	return words[kind];
}

bool known_by_value(const struct known_site *s)
{
	return s->kind == KNOWN_LIBRARY && s->name && !strcmp(s->name, "by-value");
}

bool known_reads(const struct known_site *s)
{
	return s->kind == KNOWN_READ || s->kind == KNOWN_ATOMIC || (s->kind == KNOWN_LIBRARY && !known_by_value(s));
}

bool known_fits(const struct known_site *s, const struct code *c)
{
	if (s->value == NONE)
		return false;
	const struct value *v = &c->values.at[s->value];
	bool call = v->op == OP_CALL || v->op == OP_ASM;
	switch (s->kind) {
	case KNOWN_READ:   return v->op == OP_LOAD || call;
	case KNOWN_WRITE:  return v->op == OP_STORE || call;
	case KNOWN_ATOMIC: return v->op == OP_RMW || v->op == OP_CAS || (v->flags & VALUE_ATOMIC && (v->op == OP_LOAD || v->op == OP_STORE));
	case KNOWN_FENCE:  return v->op == OP_FENCE;
	case KNOWN_BRANCH: return v->op == OP_BRANCH;
	default:           return call;
	}
}

uint8_t *known_recorded(const struct known *k, const struct model *m)
{
	uint8_t *recorded = mem_take(model_code(m)->values.count + 1);
	for (size_t i = 0; i < k->sites.count; i++)
		if (known_reads(&k->sites.at[i]) && known_fits(&k->sites.at[i], model_code(m)))
			recorded[k->sites.at[i].value] = 1;
	return recorded;
}
