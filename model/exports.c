/* model/exports.c -- what code that is not in the bitcode can name, by the symbol tables of its object.
 *
 *   (1) Other objects find a variable or function through the dynamic symbol table, whether they were linked, loaded later, or ask dlsym(): what is not
 *       in it they cannot name.
 *   (2) An object file of another compiler that was linked into this one names whatever is not static.  Which objects were linked is not kept; but they
 *       bring names of their own: a function or variable that no bitcode defines, and that neither the linker, the C library's start files nor
 *       raddle cc put there, is somebody else's.  So it is if there is no symbol table to look at.  In a static program the library is such code.
 *   (3) What has another name (an alias) may be written under that name in another unit.
 * When in doubt it can be named: that costs an answer, never makes one wrong. */
#include "model/exports.h"

#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"

struct looking {
	struct code *code;
	struct names defined;                   /* names of the bitcode */
	VEC(uint32_t) locals;                   /* by that name: static ones of it that were not met yet */
	struct names shared;                    /* names other objects can ask for */
	bool foreign;
};

static void define(struct looking *l, uint32_t name, bool local)
{
	const char *text = code_text(l->code, name);
	uint32_t id = names_put(&l->defined, text, strlen(text));
	if (id == l->locals.count)
		vec_push(&l->locals, 0);
	l->locals.at[id] += local;
}

static void define_all(struct looking *l)
{
	const struct code *c = l->code;
	for (size_t i = 0; i < c->functions.count; i++)
		if (c->functions.at[i].flags & FUNCTION_DEFINED)
			define(l, c->functions.at[i].name, c->functions.at[i].flags & FUNCTION_LOCAL);
	for (size_t i = 0; i < c->globals.count; i++)
		if (c->globals.at[i].flags & GLOBAL_DEFINED)
			define(l, c->globals.at[i].name, c->globals.at[i].flags & GLOBAL_LOCAL);
	for (size_t i = 0; i < c->aliases.count; i++)
		define(l, c->aliases.at[i].name, true);
}

/* Put there by the linker, by the files every program begins and ends with, by the part of the C library that is always linked in, and by compilers. */
static bool is_of_every_program(const char *name)
{
	static const char *const names[] = { "_start", "_init", "_fini", "__abi_tag", "_IO_stdin_used", "__dso_handle", "data_start", "__data_start",
		"deregister_tm_clones", "register_tm_clones", "__do_global_dtors_aux", "__do_global_dtors_aux_fini_array_entry", "frame_dummy",
		"__frame_dummy_init_array_entry", "__FRAME_END__", "__EH_FRAME_BEGIN__", "__TMC_END__", "_DYNAMIC", "_GLOBAL_OFFSET_TABLE_", "completed.0",
		"completed", "dtor_idx.0", "_dl_relocate_static_pie", "atexit", "at_quick_exit", "pthread_atfork", "__pthread_atfork", "__stack_chk_fail_local", "__clang_call_terminate",
		"raddle.announce" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strncmp(name, "DW.ref.", 7) || strchr(name, '@');       /* @: a copy of a library's variable */
}

/* Of a body raddle cc made a second and a third time. */
static size_t without_copy(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && (!strcmp(dot, ".recorded") || !strcmp(dot, ".steered")) ? (size_t)(dot - name) : strlen(name);
}

static void look_at_symbol(struct looking *l, const GElf_Sym *s, const char *name)
{
	unsigned char type = GELF_ST_TYPE(s->st_info);
	if (s->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT && type != STT_TLS && type != STT_GNU_IFUNC && type != STT_COMMON))
		return;
	if (is_of_every_program(name))
		return;
	size_t length = without_copy(name);
	uint32_t id = names_get(&l->defined, name, length);
	bool local = GELF_ST_BIND(s->st_info) == STB_LOCAL && length == strlen(name);
	if (id == NO_NAME || (local && !l->locals.at[id]))
		l->foreign = true;
	else
		l->locals.at[id] -= local;
}

static void look_at_table(struct looking *l, Elf *elf, Elf_Scn *scn, const GElf_Shdr *head)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym s;
	if (!data || !head->sh_entsize)
		l->foreign = true;
	for (int i = 1; data && head->sh_entsize && (size_t)i < data->d_size / head->sh_entsize && gelf_getsym(data, i, &s); i++) {
		const char *name = elf_strptr(elf, head->sh_link, s.st_name);
		if (!name || !*name)
			continue;
		if (head->sh_type == SHT_SYMTAB)
			look_at_symbol(l, &s, name);
		else if (s.st_shndx != SHN_UNDEF)
			names_put(&l->shared, name, strcspn(name, "@"));
	}
}

static void look_at(struct looking *l, const char *path)
{
	bool met = false;
	struct err ignored;
	int fd = file_open_read(path, &ignored);
	elf_version(EV_CURRENT);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	for (Elf_Scn *scn = elf ? elf_nextscn(elf, NULL) : NULL; scn; scn = elf_nextscn(elf, scn)) {
		GElf_Shdr head;
		if (!gelf_getshdr(scn, &head) || (head.sh_type != SHT_SYMTAB && head.sh_type != SHT_DYNSYM))
			continue;
		met |= head.sh_type == SHT_SYMTAB;
		look_at_table(l, elf, scn, &head);
	}
	l->foreign |= !met;
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

static bool is_shared(const struct looking *l, uint32_t name)
{
	const char *text = code_text(l->code, name);
	return l->foreign || names_get(&l->shared, text, strlen(text)) != NO_NAME;
}

/* Another unit may write a variable by its other name; a function is found by either (link.c). */
static void mark_alias(const struct looking *l, const struct alias *a)
{
	const struct value *v = &l->code->values.at[code_behind(l->code, a->value)];
	if (v->op == OP_GLOBAL)
		l->code->globals.at[v->number].flags |= GLOBAL_EXPORTED;
	else if (v->op == OP_FUNCTION && is_shared(l, a->name))
		l->code->functions.at[v->number].flags |= FUNCTION_EXPORTED;
}

void code_exports(struct code *c, const char *const *paths, size_t count)
{
	struct looking l = { .code = c };
	define_all(&l);
	for (size_t i = 0; i < count; i++)
		look_at(&l, paths[i]);
	for (size_t i = 0; i < c->functions.count; i++)
		if (!(c->functions.at[i].flags & FUNCTION_LOCAL) && is_shared(&l, c->functions.at[i].name))
			c->functions.at[i].flags |= FUNCTION_EXPORTED;
	for (size_t i = 0; i < c->globals.count; i++)
		if (!(c->globals.at[i].flags & GLOBAL_LOCAL) && is_shared(&l, c->globals.at[i].name))
			c->globals.at[i].flags |= GLOBAL_EXPORTED;
	for (size_t i = 0; i < c->aliases.count; i++)
		mark_alias(&l, &c->aliases.at[i]);
	names_release(&l.defined);
	names_release(&l.shared);
	vec_release(&l.locals);
}
