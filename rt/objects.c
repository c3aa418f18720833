/* rt/objects.c -- objects of this process: what is loaded, where its site table is, and that no other takes its place.
 *
 * A record names its descriptor by address.  When an object is unloaded, records that name its descriptors may still be on
 * their way, so until the end of the process no other object may lie there: its place is reserved (no memory, no access) as soon
 * as it is gone.  An object of the same name that is about to be loaded gets the place back, and usually takes it.
 *   (1) a table in use has low != 0; gone: it was unloaded; reserved: what lay there is closed to others;
 *   (2) an entry of the ring's module table is one object at one place: it is used again only for the same. */
#include "rt/objects.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "rt/fault.h"
#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/sys.h"
#include "rt/words.h"
#include "wire/hooks.h"
#include "wire/version.h"

#define MAX_TABLES 512
#define NAME_BYTES 64
#define PAGE       4096u

static struct table {
	uint64_t low, high;             /* the table */
	uint64_t from, to;              /* the whole object, in pages; 0 until it is noted */
	bool gone, reserved;
	bool asked, seen;               /* by objects_closed: is it still there? */
	char name[NAME_BYTES];          /* of its file */
} tables[MAX_TABLES];
static uint32_t lock;
static bool tables_changed;             /* since objects were last noted */

static void lock_tables(uint64_t *signals)
{
	sys_block_signals(signals);
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		sys3(SYS_sched_yield, 0, 0, 0);
}

static void unlock_tables(const uint64_t *signals)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	sys_set_signals(signals);
}

/* ---- the ring's entries ---- */

static void copy_text(char *to, size_t room, const char *from)
{
	size_t at = 0;
	for (; from[at] && at + 1 < room; at++)
		to[at] = from[at];
	to[at] = 0;
}

static const char *file_name(const char *path)
{
	const char *name = path;
	for (; *path; path++)
		if (*path == '/')
			name = path + 1;
	return name;
}

static void copy_build_id(struct module_entry *module, const struct dl_phdr_info *info, const ElfW(Phdr) *segment)
{
	const char *at = (const char *)(info->dlpi_addr + segment->p_vaddr);
	const char *end = at + segment->p_memsz;
	while (at + sizeof(ElfW(Nhdr)) <= end) {
		const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
		const char *name = at + sizeof *note;
		const char *bytes = name + (note->n_namesz + 3) / 4 * 4;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && note->n_descsz <= sizeof module->build_id) {
			copy_bytes(module->build_id, bytes, note->n_descsz);
			module->build_id_bytes = note->n_descsz;
			return;
		}
		at = bytes + (note->n_descsz + 3) / 4 * 4;
	}
}

static void fill_module(struct module_entry *module, const struct dl_phdr_info *info)
{
	zero_bytes(module, sizeof *module);
	module->process = process_index;
	module->base = info->dlpi_addr;
	module->low = UINT64_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + segment->p_vaddr, high = low + segment->p_memsz;
		if (segment->p_type == PT_NOTE)
			copy_build_id(module, info, segment);
		if (segment->p_type != PT_LOAD)
			continue;
		if (low < module->low)
			module->low = low;
		if (high > module->high)
			module->high = high;
	}
	const char *path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : ring_process(process_index)->exe;
	copy_text(module->path, sizeof module->path, path);
	for (uint32_t i = 0; i < MAX_TABLES; i++) {
		struct table *t = &tables[i];
		if (!t->low || t->gone || t->low < module->low || t->high > module->high)
			continue;
		module->sites_low = t->low;
		module->sites_high = t->high;
		t->from = module->low & ~(uint64_t)(PAGE - 1);
		t->to = (module->high + PAGE - 1) & ~(uint64_t)(PAGE - 1);
		copy_text(t->name, sizeof t->name, file_name(path));
	}
}

static bool same_module(const struct module_entry *a, const struct module_entry *b)
{
	if (a->base != b->base || a->high != b->high || a->build_id_bytes != b->build_id_bytes || !words_same(a->path, b->path))
		return false;
	for (uint32_t i = 0; i < a->build_id_bytes && i < sizeof a->build_id; i++)
		if (a->build_id[i] != b->build_id[i])
			return false;
	return true;
}

/* The entry of this very object at this very place, or NULL. */
static struct module_entry *known_module(const struct module_entry *wanted)
{
	uint32_t count = ring->next_module < RING_MODULES ? ring->next_module : RING_MODULES;
	for (uint32_t i = 0; i < count; i++) {
		struct module_entry *module = ring_module(i);
		if (module->state && module->process == wanted->process && same_module(module, wanted))
			return module;
	}
	return NULL;
}

static void put_module(const struct module_entry *from)
{
	struct module_entry *module = known_module(from);
	if (!module) {
		uint32_t index = __atomic_fetch_add(&ring->next_module, 1, __ATOMIC_RELAXED);
		if (index >= RING_MODULES) {
			__atomic_fetch_add(&ring->lost_modules, 1, __ATOMIC_RELAXED);
			return;
		}
		module = ring_module(index);
	}
	copy_bytes((char *)module + sizeof module->state, (const char *)from + sizeof from->state, sizeof *from - sizeof from->state);
	__atomic_store_n(&module->state, 1, __ATOMIC_RELEASE);
}

static int note_object(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct module_entry module;
	(void)size, (void)unused;
	fill_module(&module, info);
	put_module(&module);
	return 0;
}

/* How often objects were loaded and unloaded, as libc counts. */
static uint64_t noted_after;

static int count_changes(struct dl_phdr_info *info, size_t size, void *changes)
{
	(void)size;
	*(uint64_t *)changes = 1 + info->dlpi_adds + info->dlpi_subs;
	return 1;
}

bool objects_have(const void *p)
{
	uint32_t count = ring && ring->next_module < RING_MODULES ? ring->next_module : 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct module_entry *module = ring_module(i);
		if (module->state && module->process == process_index && (uint64_t)p - module->low < module->high - module->low)
			return true;
	}
	return false;
}

/* At the start, when an object announces itself, and once more at the end: unless they are the same as before. */
void objects_note(void)
{
	uint64_t changes = 0;
	if (!ring)
		return;
	rt_enter();
	dl_iterate_phdr(count_changes, &changes);
	if (changes != noted_after || tables_changed) {
		tables_changed = false;
		noted_after = changes;
		dl_iterate_phdr(note_object, NULL);
		fault_look();
	}
	rt_leave();
}

void objects_forked(uint32_t parent)
{
	uint32_t count = ring->next_module < RING_MODULES ? ring->next_module : RING_MODULES;
	__atomic_store_n(&lock, 0, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < count; i++) {
		struct module_entry module = *ring_module(i);
		if (!module.state || module.process != parent)
			continue;
		module.process = process_index;
		put_module(&module);
	}
}

/* ---- tables come ---- */

/* A free one, or that of an object gone longest ago as far as the order here tells: its place stays closed for good. */
static struct table *new_table(void)
{
	for (uint32_t i = 0; i < MAX_TABLES; i++)
		if (!tables[i].low)
			return &tables[i];
	for (uint32_t i = 0; i < MAX_TABLES; i++)
		if (tables[i].gone && tables[i].reserved)
			return &tables[i];
	rt_fatal("more than 512 instrumented objects in one process; build some of them without raddle cc");
}

RT_EXPORT void raddle_register(const void *low, const void *high, uint32_t version)
{
	uint64_t signals;
	bool known = false;
	if (version != WIRE_SITES_VERSION)
		rt_fatal("an object of this program was built by another version of raddle; rebuild it with this one's raddle cc");
	lock_tables(&signals);
	for (uint32_t i = 0; i < MAX_TABLES; i++) {
		struct table *t = &tables[i];
		if (t->gone && !t->reserved && t->from < (uint64_t)high && t->to > (uint64_t)low)
			zero_bytes(t, sizeof *t);        /* the place is used again */
		known |= t->low == (uint64_t)low;
	}
	if (!known)
		*new_table() = (struct table){ .low = (uint64_t)low, .high = (uint64_t)high };
	tables_changed |= !known;
	unlock_tables(&signals);
	if (!known)
		objects_note();
}

/* ---- and go ---- */

static int mark_loaded(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	for (uint32_t i = 0; i < MAX_TABLES; i++)
		for (int k = 0; tables[i].low && k < info->dlpi_phnum; k++) {
			const ElfW(Phdr) *segment = &info->dlpi_phdr[k];
			tables[i].seen |= segment->p_type == PT_LOAD && tables[i].low - (info->dlpi_addr + segment->p_vaddr) < segment->p_memsz;
		}
	return 0;
}

/* Nobody else gets the place: unless somebody already has, then it is no object's, and no harm done. */
static void reserve(struct table *t)
{
	long at = sys6(SYS_mmap, (long)t->from, (long)(t->to - t->from), PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	t->reserved = at == (long)t->from;
}

void objects_closed(uint64_t pc)
{
	uint64_t signals;
	if (!ring)
		return;
	for (uint32_t i = 0; i < MAX_TABLES; i++)
		tables[i].asked = tables[i].low && tables[i].from, tables[i].seen = false;
	rt_enter();
	dl_iterate_phdr(mark_loaded, NULL);
	rt_leave();
	lock_tables(&signals);
	for (uint32_t i = 0; i < MAX_TABLES; i++) {
		struct table *t = &tables[i];
		if (!t->asked || t->seen)
			continue;
		if (!t->gone && rt_on())
			rt_event(EV_UNMAP, t->from, t->to - t->from, rt_alloc_version(), 0, pc);
		t->gone = true;
		if (!t->reserved)
			reserve(t);
	}
	unlock_tables(&signals);
}

void objects_opening(const char *name)
{
	uint64_t signals;
	if (!ring || !name)
		return;
	lock_tables(&signals);
	for (uint32_t i = 0; i < MAX_TABLES; i++) {
		struct table *t = &tables[i];
		if (!t->gone || !t->reserved || !words_same(t->name, file_name(name)))
			continue;
		sys3(SYS_munmap, (long)t->from, (long)(t->to - t->from), 0);
		t->reserved = false;
	}
	unlock_tables(&signals);
}
