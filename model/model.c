/* model/model.c -- opens a model: sections, code, names; what is asked of it is computed when first asked. */
#include "model/model.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "model/exports.h"
#include "model/read.h"
#include "model/section.h"

struct call_at { uint32_t site, next; };                /* next: of the same line, or NONE */

struct model {
	struct code code;
	struct names functions;                         /* "unit\0linkage" -> function, by number in by_name */
	VEC(uint32_t) by_name;
	struct pointers *pointers;
	struct names lines;                             /* "line:file" with calls */
	VEC(uint32_t) first_call;                       /* by that name: in `calls` */
	VEC(struct call_at) calls;
};

static void key_of(struct buffer *key, const char *unit, const char *linkage)
{
	key->count = 0;
	buffer_add(key, unit, strlen(unit) + 1);
	buffer_add(key, linkage, strlen(linkage));
}

static void index_functions(struct model *m)
{
	struct buffer key = { 0 };
	for (uint32_t i = 0; i < m->code.functions.count; i++) {
		const struct function *f = &m->code.functions.at[i];
		if (!(f->flags & FUNCTION_DEFINED))
			continue;
		key_of(&key, code_text(&m->code, m->code.units.at[f->unit].name), code_text(&m->code, f->name));
		uint32_t id = names_put(&m->functions, (char *)key.at, key.count);
		if (id == m->by_name.count)
			vec_push(&m->by_name, i);
		else
			m->by_name.at[id] = NONE;               /* two of one name: nobody can say which is meant */
	}
	buffer_release(&key);
}

int model_open(struct model **out, const char *const *paths, size_t count, enum model_view view, struct err *why)
{
	struct section *sections = mem_take((count + 1) * sizeof *sections);
	struct model *m = mem_take(sizeof *m);
	int got = 0;
	for (size_t i = 0; i < count && got == 0; i++)
		got = section_read(&sections[i], paths[i], why);
	if (got == 0)
		got = read_sections(&m->code, sections, paths, count, view == MODEL_LIFTED, why);
	for (size_t i = 0; i < count; i++)
		section_release(&sections[i]);
	mem_free(sections);
	if (got) {
		mem_free(m);
		return -1;
	}
	code_link(&m->code);
	code_exports(&m->code, paths, count);
	index_functions(m);
	*out = m;
	return 0;
}

void model_close(struct model *m)
{
	if (!m)
		return;
	if (m->pointers)
		pointers_release(m->pointers);
	mem_free(m->pointers);
	names_release(&m->functions);
	names_release(&m->lines);
	vec_release(&m->first_call);
	vec_release(&m->calls);
	vec_release(&m->by_name);
	code_release(&m->code);
	mem_free(m);
}

const struct code *model_code(const struct model *m)
{
	return &m->code;
}

const struct pointers *model_pointers(struct model *m)
{
	if (!m->pointers) {
		m->pointers = mem_take(sizeof *m->pointers);
		pointers_make(m->pointers, &m->code);
	}
	return m->pointers;
}

struct depend *model_depend(struct model *m, const uint8_t *recorded)
{
	return depend_new(model_pointers(m), recorded);
}

uint32_t model_site(struct model *m, const char *unit, const char *linkage, uint32_t ordinal)
{
	struct buffer key = { 0 };
	key_of(&key, unit, linkage);
	uint32_t id = names_get(&m->functions, (char *)key.at, key.count);
	buffer_release(&key);
	if (id == NO_NAME || m->by_name.at[id] == NONE)
		return NONE;
	const struct function *f = &m->code.functions.at[m->by_name.at[id]];
	return ordinal < f->site_count ? m->code.sites.at[f->site_at + ordinal] : NONE;
}

bool model_begins_zero(const struct model *m, const char *name)
{
	bool zero = false;
	for (size_t i = 0; i < m->code.globals.count; i++) {
		const struct global *g = &m->code.globals.at[i];
		if (!(g->flags & GLOBAL_DEFINED) || strcmp(code_text(&m->code, g->name), name))
			continue;
		if (!(g->flags & GLOBAL_ZERO) || g->flags & GLOBAL_THREAD)
			return false;
		zero = true;
	}
	return zero;
}

/* ---- calls by line ---- */

/* By the last part of the file's name: a line table and a site table may spell the folder differently. */
static uint32_t line_name(const struct model *m, struct names *enter, const char *file, uint32_t line)
{
	char text[300];
	const char *last = strrchr(file, '/');
	int length = snprintf(text, sizeof text, "%u:%s", line, last ? last + 1 : file);
	size_t count = length < (int)sizeof text ? (size_t)length : sizeof text - 1;
	return enter ? names_put(enter, text, count) : names_get(&m->lines, text, count);
}

bool model_calls_library(struct model *m, uint32_t site)
{
	const struct value *v = &m->code.values.at[site];
	const struct effects *e = v->op == OP_CALL ? pointers_library(model_pointers(m), v) : NULL;
	for (uint32_t i = 0; e && i < e->count; i++)
		if (strchr("KSAX!", e->at[i].letter))
			return false;
	return e != NULL;
}

void model_note_call(struct model *m, uint32_t site, const char *file, uint32_t line)
{
	if (site == NONE || !line || !model_calls_library(m, site))
		return;
	uint32_t name = line_name(m, &m->lines, file, line), *last;
	if (name == m->first_call.count)
		vec_push(&m->first_call, NONE);
	for (last = &m->first_call.at[name]; *last != NONE; last = &m->calls.at[*last].next)
		if (m->calls.at[*last].site == site)
			return;
	*last = (uint32_t)m->calls.count;
	vec_push(&m->calls, ((struct call_at){ site, NONE }));
}

uint32_t model_call_at(const struct model *m, const char *file, uint32_t line, uint32_t nth)
{
	uint32_t name = line ? line_name(m, NULL, file, line) : NO_NAME;
	uint32_t at = name == NO_NAME ? NONE : m->first_call.at[name];
	while (at != NONE && nth--)
		at = m->calls.at[at].next;
	return at == NONE ? NONE : m->calls.at[at].site;
}
