/* trace/lines.c -- see lines.h.  The object must still have the build id it had when it ran; no debug information is fetched from
 * elsewhere.  Traces may be read at the same time; libdw has one of them look at a time. */
#include "trace/lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"

struct lines {
	Dwfl *dwfl;
	VEC(bool) tried;                        /* modules reported or found useless */
	struct { Dwfl_Module *of; Dwarf_Die *die; Dwarf_Addr bias; } unit;      /* found last: neighbours are asked for in a row */
};

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

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
		struct err ignored;
		int fd = file_open_read(m->path, &ignored);     /* by itself it would open it for whoever we start, too */
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
	pthread_mutex_lock(&one_at_a_time);
	l->dwfl = dwfl_begin(&callbacks);
	pthread_mutex_unlock(&one_at_a_time);
	return l;
}

static bool find(struct lines *l, uint32_t index, const struct trace_module *m, uint64_t address, struct line *out)
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

/* The line of a call that is no call any more: `at` is the body that stands there instead, `around` the function it is in. */
static struct line inlined_line(Dwarf_Die *unit, Dwarf_Die *at, Dwarf_Die *around)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files = NULL;
	Dwarf_Word file = 0, line = 0, column = 0;
	size_t count;
	const char *name = NULL;
	if (dwarf_formudata(dwarf_attr(at, DW_AT_call_file, &attribute), &file) == 0 && dwarf_getsrcfiles(unit, &files, &count) == 0)
		name = dwarf_filesrc(files, file, NULL, NULL);
	if (dwarf_formudata(dwarf_attr(at, DW_AT_call_line, &attribute), &line) != 0 || line > UINT32_MAX)
		line = 0;
	if (dwarf_formudata(dwarf_attr(at, DW_AT_call_column, &attribute), &column) != 0 || column > UINT32_MAX)
		column = 0;
	return (struct line){ .file = name ? name : "", .function = dwarf_diename(around), .line = name ? (uint32_t)line : 0, .column = (uint32_t)column };
}

static bool is_function(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static unsigned inlined(struct lines *l, uint32_t index, const struct trace_module *m, uint64_t address, struct line out[LINES_INLINED])
{
	Dwfl_Module *module = l->dwfl ? open_module(l, index, m) : NULL;
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = module ? unit_at(l, module, address, &bias) : NULL, *there = NULL, *around = NULL, *inner = NULL;
	unsigned found = 0;
	if (!unit || dwarf_getscopes(unit, address - bias, &there) <= 0)
		return 0;
	int count = dwarf_getscopes_die(&there[0], &around);            /* as they lie in the code, not as they were written */
	for (int i = 0; i < count; i++) {
		if (!is_function(&around[i]))
			continue;
		if (inner && dwarf_tag(inner) == DW_TAG_inlined_subroutine && found < LINES_INLINED)
			out[found++] = inlined_line(unit, inner, &around[i]);
		inner = &around[i];
	}
	free(around);
	free(there);
	return found;
}

bool lines_find(struct lines *l, uint32_t index, const struct trace_module *m, uint64_t address, struct line *out)
{
	pthread_mutex_lock(&one_at_a_time);
	bool found = find(l, index, m, address, out);
	pthread_mutex_unlock(&one_at_a_time);
	return found;
}

unsigned lines_inlined(struct lines *l, uint32_t index, const struct trace_module *m, uint64_t address, struct line out[LINES_INLINED])
{
	pthread_mutex_lock(&one_at_a_time);
	unsigned found = inlined(l, index, m, address, out);
	pthread_mutex_unlock(&one_at_a_time);
	return found;
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
