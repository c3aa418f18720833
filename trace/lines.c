/* trace/lines.c -- see lines.h.  The object must still have the build id it had when it ran; no debug information is fetched from
 * elsewhere. */
#include "trace/lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"

struct lines {
	Dwfl *dwfl;
	VEC(bool) tried;                        /* modules reported or found useless */
	struct { Dwfl_Module *of; Dwarf_Die *die; Dwarf_Addr bias; } unit;      /* found last: neighbours are asked for in a row */
};

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
static Dwfl_Module *open_module(struct lines *c, uint32_t index, const struct trace_module *m)
{
	struct stat facts;
	while (c->tried.count <= index)
		vec_push(&c->tried, false);
	if (!c->tried.at[index]) {
		c->tried.at[index] = true;
		if (!*m->build_id || *m->path != '/' || stat(m->path, &facts) || !S_ISREG(facts.st_mode))
			return NULL;
		int fd = open(m->path, O_RDONLY | O_CLOEXEC);     /* by itself it would open it for whoever we start, too */
		dwfl_report_begin_add(c->dwfl);
		Dwfl_Module *found = fd < 0 ? NULL : dwfl_report_elf(c->dwfl, m->path, m->path, fd, m->base, true);
		if (!found && fd >= 0)
			close(fd);
		bool useful = found && same_build(found, m);
		dwfl_report_end(c->dwfl, NULL, NULL);
		if (!useful)
			return NULL;
	}
	Dwfl_Module *found = dwfl_addrmodule(c->dwfl, m->low);
	return found && same_build(found, m) ? found : NULL;
}

/* The compilation unit of an address.  clang writes no .debug_aranges, so the quick way may find nothing, or, where other units have
 * them, the wrong one. */
static Dwarf_Die *search_unit(Dwfl_Module *m, uint64_t address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(m, address, bias);
	if (unit && dwarf_haspc(unit, address - *bias) > 0)
		return unit;
	unit = NULL;
	while ((unit = dwfl_module_nextcu(m, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

static Dwarf_Die *unit_at(struct lines *l, Dwfl_Module *m, uint64_t address, Dwarf_Addr *bias)
{
	if (l->unit.of != m || !l->unit.die || dwarf_haspc(l->unit.die, address - l->unit.bias) <= 0) {
		l->unit.of = m;
		l->unit.die = search_unit(m, address, &l->unit.bias);
	}
	*bias = l->unit.bias;
	return l->unit.die;
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

struct lines *lines_new(void)
{
	struct lines *l = mem_take(sizeof *l);
	l->dwfl = dwfl_begin(&callbacks);
	return l;
}

bool lines_find(struct lines *l, uint32_t index, const struct trace_module *m, uint64_t address, struct line *out)
{
	Dwfl_Module *module = l->dwfl ? open_module(l, index, m) : NULL;
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = module ? unit_at(l, module, address, &bias) : NULL;
	Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
	int number = 0, column = 0;
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	if (!file)
		return false;
	dwarf_lineno(line, &number);
	dwarf_linecol(line, &column);
	*out = (struct line){ .file = file, .function = function_name(unit, address - bias), .line = number > 0 ? (uint32_t)number : 0,
		.column = column > 0 ? (uint32_t)column : 0 };
	return true;
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	if (l->dwfl)
		dwfl_end(l->dwfl);
	vec_release(&l->tried);
	mem_free(l);
}
