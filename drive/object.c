/* drive/object.c -- reads ELF files through libelf: section raddle_sites, symbols, build id. */
#include "drive/object.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "base/buffer.h"
#include "trace/format.h"
#include "wire/sites.h"
#include "wire/version.h"

#define RUNTIME_NAME "libraddle-rt.so"

struct symbol_entry { uint64_t address, size; uint32_t name, type; };

struct object {
	Elf *elf;
	int fd;
	Elf_Scn *sites, *symbols;
	bool needs_runtime;
	const char *search;             /* DT_RUNPATH or DT_RPATH; NULL: none */
	uint8_t build_id[20];
	uint32_t build_id_bytes;
};

static void look_at_dynamic(struct object *o, Elf_Scn *section, const GElf_Shdr *head)
{
	Elf_Data *data = elf_getdata(section, NULL);
	for (int i = 0; data && i < (int)(head->sh_size / (head->sh_entsize ? head->sh_entsize : 1)); i++) {
		GElf_Dyn entry;
		if (!gelf_getdyn(data, i, &entry) || entry.d_tag == DT_NULL)
			return;
		const char *name = entry.d_tag == DT_NEEDED ? elf_strptr(o->elf, head->sh_link, entry.d_un.d_val) : NULL;
		if (name && strcmp(name, RUNTIME_NAME) == 0)
			o->needs_runtime = true;
		if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH)
			o->search = elf_strptr(o->elf, head->sh_link, entry.d_un.d_val);
	}
}

static void look_at_notes(struct object *o, Elf_Scn *section)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Nhdr note;
	size_t name_at, bytes_at;
	for (size_t at = 0; data && (at = gelf_getnote(data, at, &note, &name_at, &bytes_at)) > 0;)
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz <= sizeof o->build_id) {
			memcpy(o->build_id, (char *)data->d_buf + bytes_at, note.n_descsz);
			o->build_id_bytes = note.n_descsz;
		}
}

static void look_at_sections(struct object *o)
{
	size_t names;
	if (elf_getshdrstrndx(o->elf, &names) < 0)
		return;
	for (Elf_Scn *s = elf_nextscn(o->elf, NULL); s; s = elf_nextscn(o->elf, s)) {
		GElf_Shdr head;
		if (!gelf_getshdr(s, &head))
			continue;
		const char *name = elf_strptr(o->elf, names, head.sh_name);
		if (name && strcmp(name, SITES_SECTION) == 0)
			o->sites = s;
		if (head.sh_type == SHT_SYMTAB || (head.sh_type == SHT_DYNSYM && !o->symbols))
			o->symbols = s;
		if (head.sh_type == SHT_DYNAMIC)
			look_at_dynamic(o, s, &head);
		if (head.sh_type == SHT_NOTE)
			look_at_notes(o, s);
	}
}

static bool has_symbol(struct object *o, Elf_Scn *section, const GElf_Shdr *head, bool (*is)(const char *name, const void *with), const void *with)
{
	Elf_Data *data = elf_getdata(section, NULL);
	for (int i = 0; data && head->sh_entsize && i < (int)(head->sh_size / head->sh_entsize); i++) {
		GElf_Sym symbol;
		const char *name = gelf_getsym(data, i, &symbol) ? elf_strptr(o->elf, head->sh_link, symbol.st_name) : NULL;
		if (name && *name && is(name, with))
			return true;
	}
	return false;
}

/* 0; -1 with errno when the file cannot be opened; 1 when it is not ELF. */
static int open_object(struct object *o, const char *path)
{
	memset(o, 0, sizeof *o);
	elf_version(EV_CURRENT);
	struct err ignored;
	o->fd = file_open_read(path, &ignored);
	if (o->fd < 0)
		return -1;
	o->elf = elf_begin(o->fd, ELF_C_READ_MMAP, NULL);
	if (!o->elf || elf_kind(o->elf) != ELF_K_ELF || gelf_getclass(o->elf) != ELFCLASS64) {
		elf_end(o->elf);
		close(o->fd);
		return 1;
	}
	look_at_sections(o);
	return 0;
}

static void close_object(struct object *o)
{
	elf_end(o->elf);
	close(o->fd);
}

bool object_has_symbol(const char *path, bool (*is)(const char *name, const void *with), const void *with)
{
	struct object o;
	GElf_Shdr head;
	bool found = false;
	if (open_object(&o, path))
		return false;
	for (Elf_Scn *s = elf_nextscn(o.elf, NULL); s && !found; s = elf_nextscn(o.elf, s))
		if (gelf_getshdr(s, &head) && (head.sh_type == SHT_SYMTAB || head.sh_type == SHT_DYNSYM))
			found = has_symbol(&o, s, &head, is, with);
	close_object(&o);
	return found;
}

/* Are the tables of a version this raddle does not read?  The first one tells. */
static bool is_other_version(const struct object *o)
{
	Elf_Data *data = o->sites ? elf_getdata(o->sites, NULL) : NULL;
	struct sites_unit unit;
	for (size_t at = 0; data && data->d_size - at >= sizeof unit; at += 8) {
		memcpy(&unit, (const char *)data->d_buf + at, sizeof unit);
		if (unit.magic)                  /* zero: padding between units */
			return unit.magic == SITES_MAGIC && unit.version != WIRE_SITES_VERSION;
	}
	return false;
}

int object_build(const char *path, struct err *why)
{
	struct object o;
	int opened = open_object(&o, path);
	if (opened < 0 && errno == EACCES)
		return OBJECT_NOT_ELF;           /* executable but not readable: exec will tell */
	if (opened < 0)
		return err_set(why, "cannot read '%s': %s", path, str_error(errno));
	if (opened > 0)
		return OBJECT_NOT_ELF;
	bool raddle = o.sites || o.needs_runtime, other = is_other_version(&o);
	close_object(&o);
	return other ? OBJECT_OTHER_RADDLE : raddle ? OBJECT_RADDLE : OBJECT_PLAIN;
}

/* Is the runtime in one of these folders?  *first: the path it has in the first of them. */
static bool in_folders(const char *list, const char *origin, char *first, size_t room)
{
	char at[4096];
	for (; list && *list; list += *list == ':') {
		int length = (int)strcspn(list, ":");
		bool own = length >= 7 && strncmp(list, "$ORIGIN", 7) == 0, braced = length >= 9 && strncmp(list, "${ORIGIN}", 9) == 0;
		int skip = own ? 7 : braced ? 9 : 0;
		snprintf(at, sizeof at, "%s%.*s/" RUNTIME_NAME, skip ? origin : "", length - skip, list + skip);
		if (first && !*first)
			snprintf(first, room, "%s", at);
		if (access(at, F_OK) == 0)
			return true;
		list += length;
	}
	return false;
}

/* Named by who starts it, or known to the loader's cache. */
static bool is_named_elsewhere(void)
{
	const char *preload = getenv("LD_PRELOAD");
	struct buffer cache = { 0 };
	char block[4096];
	int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
	for (ssize_t got; fd >= 0 && (got = read(fd, block, sizeof block)) > 0;)
		buffer_add(&cache, block, (size_t)got);
	if (fd >= 0)
		close(fd);
	bool found = (preload && strstr(preload, RUNTIME_NAME)) ||
		(cache.count && memmem(cache.at, cache.count, RUNTIME_NAME, sizeof RUNTIME_NAME));
	buffer_release(&cache);
	return found;
}

bool object_runtime_gone(const char *path, char *into, size_t room)
{
	struct object o;
	char *whole = realpath(path, NULL), *slash = whole ? strrchr(whole, '/') : NULL;
	if (slash)
		*slash = 0;
	snprintf(into, room, "%s", "");
	bool gone = whole && open_object(&o, path) == 0;
	if (gone) {
		gone = o.needs_runtime && !in_folders(o.search, whole, into, room) && !in_folders(getenv("LD_LIBRARY_PATH"), whole, NULL, 0) &&
			!in_folders("/lib:/usr/lib:/lib64:/usr/lib64:/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/usr/local/lib", whole, NULL, 0) &&
			!is_named_elsewhere();
		close_object(&o);
	}
	if (gone && !*into)
		snprintf(into, room, RUNTIME_NAME);
	free(whole);
	return gone;
}

void object_build_id(const char *path, char *into)
{
	struct object o;
	into[0] = 0;
	if (open_object(&o, path) != 0)
		return;
	for (uint32_t i = 0; i < o.build_id_bytes; i++)
		snprintf(into + 2 * i, 3, "%02x", o.build_id[i]);
	close_object(&o);
}

int object_sites(const char *path, void **bytes, size_t *count, uint64_t *address, struct err *why)
{
	struct object o;
	GElf_Shdr head;
	int opened = open_object(&o, path);
	if (opened < 0)
		return err_set(why, "cannot read '%s': %s", path, str_error(errno));
	Elf_Data *data = opened == 0 && o.sites && gelf_getshdr(o.sites, &head) ? elf_getdata(o.sites, NULL) : NULL;
	if (data) {
		struct buffer copy = { 0 };
		buffer_add(&copy, data->d_buf, data->d_size);
		*bytes = copy.at;
		*count = copy.count;
		*address = head.sh_addr;
	}
	if (opened == 0)
		close_object(&o);
	if (data)
		return 0;
	err_set(why, "'%s' has no sites: it was not built with raddle cc", path);
	return err_hint(why, "raddle cc -g -pthread ... builds it so");
}

static uint32_t symbol_type(const GElf_Sym *symbol)
{
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_FUNC:   return 1;
	case STT_OBJECT: return 2;
	case STT_TLS:    return 3;
	default:         return 0;
	}
}

/* Without the suffix of a body that is a function of its own. */
static size_t plain_length(const char *name)
{
	static const char *const suffixes[] = { RECORDED_SUFFIX, STEERED_SUFFIX };
	size_t length = strlen(name);
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		size_t cut = strlen(suffixes[i]);
		if (length > cut && strcmp(name + length - cut, suffixes[i]) == 0)
			return length - cut;
	}
	return length;
}

static void collect_symbols(struct object *o, uint64_t base, struct buffer *entries, struct buffer *names, uint32_t *count)
{
	GElf_Shdr head;
	Elf_Data *data = o->symbols ? elf_getdata(o->symbols, NULL) : NULL;
	if (!data || !gelf_getshdr(o->symbols, &head) || !head.sh_entsize)
		return;
	for (int i = 0; i < (int)(head.sh_size / head.sh_entsize); i++) {
		GElf_Sym symbol;
		const char *name;
		if (!gelf_getsym(data, i, &symbol) || symbol.st_shndx == SHN_UNDEF || !symbol_type(&symbol) ||
			!(name = elf_strptr(o->elf, head.sh_link, symbol.st_name)) || !*name)
			continue;
		struct symbol_entry entry = { symbol.st_value + (symbol_type(&symbol) == 3 ? 0 : base), symbol.st_size,
			(uint32_t)names->count, symbol_type(&symbol) };
		buffer_add(entries, &entry, sizeof entry);
		buffer_add(names, name, plain_length(name));
		buffer_add(names, "", 1);
		++*count;
	}
}

static bool same_build(const struct object *o, const struct object_load *load)
{
	return o->build_id_bytes == load->build_id_bytes && memcmp(o->build_id, load->build_id, o->build_id_bytes) == 0;
}

void object_block(struct object_block *out, const struct object_load *load)
{
	struct object o;
	struct buffer block = { 0 }, entries = { 0 }, names = { 0 };
	struct module_block head = { .base = load->base, .low = load->low, .high = load->high,
		.path_bytes = (uint32_t)strlen(load->path), .build_id_bytes = load->build_id_bytes };
	Elf_Data *sites = NULL;
	GElf_Shdr sites_head;
	bool opened = open_object(&o, load->path) == 0;
	if (opened && same_build(&o, load)) {
		if (o.sites && gelf_getshdr(o.sites, &sites_head))
			sites = elf_getdata(o.sites, NULL);
		collect_symbols(&o, load->base, &entries, &names, &head.symbol_count);
	}
	head.symbol_bytes = (uint32_t)names.count;
	head.sites_bytes = sites ? (uint32_t)sites->d_size : 0;
	head.sites_address = sites ? load->base + sites_head.sh_addr : 0;
	buffer_add(&block, &head, sizeof head);
	buffer_add(&block, load->path, head.path_bytes);
	buffer_add(&block, load->build_id, head.build_id_bytes);
	size_t sites_at = block.count;
	if (sites)
		buffer_add(&block, sites->d_buf, sites->d_size);
	buffer_add(&block, entries.at, entries.count);
	buffer_add(&block, names.at, names.count);
	if (opened)
		close_object(&o);
	*out = (struct object_block){ .bytes = block.at, .count = block.count, .sites = sites ? block.at + sites_at : NULL,
		.sites_bytes = head.sites_bytes, .sites_address = head.sites_address };
	buffer_release(&entries);
	buffer_release(&names);
}

const char *object_symbol(const struct object_block *block, uint64_t address, uint64_t *offset)
{
	struct module_block head;
	const uint8_t *bytes = block->bytes;
	memcpy(&head, bytes, sizeof head);
	const uint8_t *entries = bytes + sizeof head + head.path_bytes + head.build_id_bytes + head.sites_bytes;
	const char *names = (const char *)(entries + (size_t)head.symbol_count * sizeof(struct symbol_entry));
	for (uint32_t i = 0; i < head.symbol_count; i++) {
		struct symbol_entry entry;
		memcpy(&entry, entries + (size_t)i * sizeof entry, sizeof entry);
		if (entry.type != 3 && address >= entry.address && address < entry.address + (entry.size ? entry.size : 1)) {
			*offset = address - entry.address;
			return names + entry.name;
		}
	}
	return NULL;
}
