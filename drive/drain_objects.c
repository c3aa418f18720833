/* drive/drain_objects.c -- the objects of recorded processes: their tables into the trace, their names for people. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "drive/drain_inside.h"
#include "drive/places.h"
#include "drive/waits.h"

static bool has_object(const struct recorded *p, uint32_t entry)
{
	for (size_t i = 0; i < p->objects.count; i++)
		if (p->objects.at[i].entry == entry)
			return true;
	return false;
}

static void use_object(struct drain *d, struct recorded *p, const struct object_block *b, const char *path)
{
	struct err why;
	if (b->sites && (sites_add(p->sites, b->sites_address, b->sites, b->sites_bytes, false, &why) < 0 ||
		(p->writer && writer_sites(p->writer, b->sites_address, b->sites, b->sites_bytes, &why) < 0)))
		fprintf(stderr, "raddle: cannot use the site tables of '%s': %s\n", path, why.text);
	if (p->writer && writer_block(p->writer, BLOCK_MODULE, 0, b->bytes, b->count, &why) < 0)
		drain_stop(d, &why);
}

static void add_object(struct drain *d, struct recorded *p, uint32_t index)
{
	struct module_entry m = *ring_module(d->setup.ring, index);
	m.path[sizeof m.path - 1] = 0;
	if (m.build_id_bytes > sizeof m.build_id)
		m.build_id_bytes = 0;
	struct loaded *object = vec_add(&p->objects);
	object->entry = index;
	struct object_load load = { m.path, m.base, m.low, m.high, m.build_id, m.build_id_bytes };
	object_block(&object->block, &load);
	if (d->setup.moves && p->writer)
		moves_module(&p->moves, &m, p->writer);
	use_object(d, p, &object->block, m.path);
}

/* The entry of the ring it was made from; UINT32_MAX: none. */
static uint32_t entry_of(const struct drain *d, const struct recorded *p, const struct module_block *m, const char *path)
{
	for (uint32_t i = 0; i < RING_MODULES; i++) {
		const struct module_entry *x = ring_module(d->setup.ring, i);
		if (x->state == 1 && x->process == p->entry && x->base == m->base && x->low == m->low && x->high == m->high &&
			strnlen(x->path, sizeof x->path) == m->path_bytes && memcmp(x->path, path, m->path_bytes) == 0 && !has_object(p, i))
			return i;
	}
	return UINT32_MAX;
}

/* The file it was made from may be another one by now: what was written down of it counts. */
void drain_keep_object(struct drain *d, struct recorded *p, const void *bytes, size_t count)
{
	struct module_block m;
	struct object_block b = { .count = count };
	if (count < sizeof m)
		return;
	memcpy(&m, bytes, sizeof m);
	uint64_t sites_at = sizeof m + (uint64_t)m.path_bytes + m.build_id_bytes;
	if (sites_at + m.sites_bytes > count)
		return;
	b.bytes = memcpy(malloc(count), bytes, count);
	if (m.sites_bytes && m.sites_address) {
		b.sites = (const uint8_t *)b.bytes + sites_at;
		b.sites_bytes = m.sites_bytes;
		b.sites_address = m.sites_address;
	}
	uint32_t entry = entry_of(d, p, &m, (const char *)bytes + sizeof m);
	struct loaded *object = vec_add(&p->objects);
	object->entry = entry;
	object->block = b;
	use_object(d, p, &b, "the trace");
}

void drain_find_objects(struct drain *d)
{
	uint32_t count = __atomic_load_n(&d->setup.ring->head->next_module, __ATOMIC_ACQUIRE);
	if (count > RING_MODULES)
		count = RING_MODULES;
	for (uint32_t i = 0; i < count; i++) {
		const struct module_entry *m = ring_module(d->setup.ring, i);
		uint32_t process = m->process;
		if (__atomic_load_n(&m->state, __ATOMIC_ACQUIRE) != 1 || process >= RING_PROCESSES || !d->process[process].open ||
			has_object(&d->process[process], i))
			continue;
		add_object(d, &d->process[process], i);
	}
}

/* ---------------------------------------------------------------- source lines */

static int by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Plain accesses have their lines in the site tables; all else has a return address, and a program may be gone when its trace is read. */
void drain_write_places(struct drain *d, struct recorded *p)
{
	size_t count;
	const uint64_t *met = writer_code(p->writer, &count);
	struct buffer text = { 0 };
	if (!count)
		return;
	uint64_t *code = memcpy(mem_take(count * sizeof *code), met, count * sizeof *code);
	struct places *places = places_new(d->setup.ring, p->entry);
	struct line line;
	qsort(code, count, sizeof *code, by_address);
	for (size_t i = 0; i < count; i++) {
		if (!places_line(places, code[i], &line))
			continue;
		buffer_print(&text, "%#" PRIx64 "\t", code[i]);
		buffer_quote(&text, line.file);
		buffer_print(&text, "\t%" PRIu32 "\t", line.line);
		buffer_quote(&text, line.function ? line.function : "");
		buffer_print(&text, "\t%" PRIu32 "\n", line.column);
	}
	if (text.count)
		drain_facts(d, p, BLOCK_PLACES, 0, &text);
	places_free(places);
	mem_free(code);
}

/* ---------------------------------------------------------------- for the user */

static const char *name_in(void *process, uint64_t address, uint64_t *offset)
{
	const struct recorded *p = process;
	const char *name = NULL;
	for (size_t i = 0; i < p->objects.count && !name; i++)
		name = object_symbol(&p->objects.at[i].block, address, offset);
	return name;
}

void drain_print_waits(struct drain *d)
{
	drain_find_processes(d);
	drain_find_objects(d);
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		if (d->process[i].open)
			waits_print(d->setup.ring, i, name_in, &d->process[i]);
}

static bool is_expected(const char *name)
{
	static const char *const known[] = { "libraddle-rt.so", "libc.so", "libm.so", "ld-linux", "libgcc_s", "linux-vdso" };
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (str_starts(name, known[i]))
			return true;
	return false;
}

void drain_add_unseen(struct drain *d, const struct recorded *p)
{
	for (size_t i = 0; i < p->objects.count; i++) {
		if (p->objects.at[i].entry >= RING_MODULES)
			continue;
		struct module_entry m = *ring_module(d->setup.ring, p->objects.at[i].entry);
		m.path[sizeof m.path - 1] = 0;
		const char *slash = strrchr(m.path, '/'), *name = slash ? slash + 1 : m.path;
		size_t used = strlen(d->unseen);
		if (p->objects.at[i].block.sites || is_expected(name) || !*name || strstr(d->unseen, name))
			continue;
		snprintf(d->unseen + used, sizeof d->unseen - used, "%s%s", used ? ", " : "", name);
		for (char *at = d->unseen + used; *at; at++)
			if ((unsigned char)*at < ' ' || *at == 127)
				*at = '?';
	}
}
