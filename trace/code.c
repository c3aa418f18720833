/* trace/code.c -- where in the source a return address lies.
 * Asked in this order: what the recorder noted (PLACES), the line tables of the object itself when the file still has the
 * recorded build id, the symbols kept in the trace.  Every answer is kept.  No debug information is fetched from elsewhere. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "trace/inside.h"

struct code {
	Dwfl *dwfl;
	VEC(bool) tried;                        /* modules reported or found useless */
};

/* ---- PLACES ---- */

static struct place *new_place(struct trace *t, uint64_t address)
{
	struct place *p = arena_take(&t->arena, sizeof *p);
	const struct trace_module *m = module_at(t, address - 1);
	*p = place_unknown;
	p->module = m ? m->path : "";
	return p;
}

static void take_place(struct trace *t, char *line)
{
	char *fields[4] = { line };
	uint64_t address, number;
	for (int i = 1; i < 4; i++) {
		char *tab = strchr(fields[i - 1], '\t');
		if (!tab)
			return;
		*tab = 0;
		fields[i] = tab + 1;
	}
	if (!str_number(fields[0], &address) || !str_number(fields[2], &number))
		return;
	struct place *p = new_place(t, address);
	p->file = trace_intern(t, fields[1], strlen(fields[1]));
	p->line = number > UINT32_MAX ? 0 : (uint32_t)number;
	p->linkage = trace_intern(t, fields[3], strlen(fields[3]));
	p->function = trace_shown(t, p->linkage);
	*map_put(&t->code_places, address, NULL) = (uint64_t)p;
}

void code_add_places(struct trace *t, const uint8_t *bytes, size_t count)
{
	char *copy = mem_take(count + 1), *save = NULL;
	memcpy(copy, bytes, count);
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		take_place(t, line);
	mem_free(copy);
}

/* ---- line tables ---- */

static int no_debuginfo(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base, const char *file, const char *link,
	GElf_Word crc, char **found)
{
	(void)m, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
	return -1;
}

static const Dwfl_Callbacks callbacks = { .find_elf = dwfl_build_id_find_elf, .find_debuginfo = no_debuginfo };

static bool same_build(Dwfl_Module *m, const struct trace_module *known)
{
	const unsigned char *bits;
	GElf_Addr where;
	char text[41] = "";
	Dwarf_Addr bias;
	if (!dwfl_module_getelf(m, &bias))
		return false;
	int count = dwfl_module_build_id(m, &bits, &where);
	for (int i = 0; i < count && i < 20; i++)
		snprintf(text + 2 * i, 3, "%02x", bits[i]);
	return *text && strcmp(text, known->build_id) == 0;
}

/* The object as libdw knows it, or NULL: gone, changed or without a build id. */
static Dwfl_Module *open_module(struct trace *t, const struct trace_module *m)
{
	struct code *c = t->code;
	size_t index = (size_t)(m - t->modules.at);
	struct stat facts;
	while (c->tried.count <= index)
		vec_push(&c->tried, false);
	if (!c->tried.at[index]) {
		c->tried.at[index] = true;
		if (!*m->build_id || *m->path != '/' || stat(m->path, &facts) || !S_ISREG(facts.st_mode))
			return NULL;
		dwfl_report_begin_add(c->dwfl);
		Dwfl_Module *found = dwfl_report_elf(c->dwfl, m->path, m->path, -1, m->base, true);
		bool useful = found && same_build(found, m);
		dwfl_report_end(c->dwfl, NULL, NULL);
		if (!useful)
			return NULL;
	}
	Dwfl_Module *found = dwfl_addrmodule(c->dwfl, m->low);
	return found && same_build(found, m) ? found : NULL;
}

/* The compilation unit of an address.  clang writes no .debug_aranges, so the quick way may find nothing. */
static Dwarf_Die *unit_at(Dwfl_Module *m, uint64_t address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(m, address, bias);
	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(m, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

/* The innermost function around the address, inlined or not. */
static const char *function_name(Dwarf_Die *unit, uint64_t address)
{
	Dwarf_Die *scopes = NULL;
	const char *name = NULL;
	int count = dwarf_getscopes(unit, address, &scopes);
	for (int i = 0; i < count && !name; i++) {
		int tag = dwarf_tag(&scopes[i]);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			name = dwarf_diename(&scopes[i]);
	}
	free(scopes);
	return name;
}

static bool from_line_table(struct trace *t, const struct trace_module *m, uint64_t address, struct place *p)
{
	if (!t->code) {
		t->code = mem_take(sizeof *t->code);
		t->code->dwfl = dwfl_begin(&callbacks);
	}
	Dwfl_Module *module = t->code->dwfl ? open_module(t, m) : NULL;
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = module ? unit_at(module, address, &bias) : NULL;
	Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
	int number = 0, column = 0;
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	if (!file)
		return false;
	const char *function = function_name(unit, address - bias);
	dwarf_lineno(line, &number);
	dwarf_linecol(line, &column);
	p->file = trace_intern(t, file, strlen(file));
	p->line = number > 0 ? (uint32_t)number : 0;
	p->column = column > 0 ? (uint32_t)column : 0;
	if (function)
		p->function = trace_intern(t, function, strlen(function));
	return true;
}

void code_close(struct code *c)
{
	if (!c)
		return;
	if (c->dwfl)
		dwfl_end(c->dwfl);
	vec_release(&c->tried);
	mem_free(c);
}

/* ---- the question ---- */

static const struct place *work_out(struct trace *t, uint64_t address)
{
	const struct trace_module *m = module_at(t, address - 1);       /* the call is before the return address */
	if (!m)
		return NULL;
	const struct symbol *s = symbol_at(&t->functions, address - 1);
	struct place *p = new_place(t, address);
	if (s) {
		p->linkage = s->name;
		p->function = trace_shown(t, s->name);
	}
	bool lines = from_line_table(t, m, address - 1, p);
	return lines || s ? p : NULL;
}

const struct place *code_place(struct trace *t, uint64_t address)
{
	bool fresh;
	uint64_t *kept = map_put(&t->code_places, address, &fresh);
	if (!fresh)
		return (const struct place *)*kept;
	const struct place *p = work_out(t, address);
	*map_put(&t->code_places, address, NULL) = (uint64_t)p;
	return p;
}
