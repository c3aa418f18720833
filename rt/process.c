/* rt/process.c -- a process joins the recording: maps the ring, names itself and the objects it has loaded.
 * Started by a constructor of the runtime, which runs before those of the program.  Without RING_ENV in the
 * environment, or when the ring cannot be had, the program runs as if it had been built without raddle. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/steer.h"
#include "rt/stripe.h"
#include "rt/sys.h"
#include "wire/hooks.h"
#include "wire/version.h"

#define MAX_REGISTERED 512

/* Site tables of the objects of this process, as their constructors said. */
static struct { uint64_t low, high; } registered[MAX_REGISTERED];
static uint32_t registered_count;

static uint64_t parse_number(const char **at)
{
	uint64_t value = 0;
	while (**at >= '0' && **at <= '9')
		value = value * 10 + (uint64_t)(*(*at)++ - '0');
	if (**at == ':')
		(*at)++;
	return value;
}

static unsigned append(char *to, unsigned at, unsigned room, const char *text)
{
	while (*text && at + 1 < room)
		to[at++] = *text++;
	to[at] = 0;
	return at;
}

static unsigned append_number(char *to, unsigned at, unsigned room, uint64_t number)
{
	char digits[24], reversed[24];
	unsigned count = 0;
	do digits[count++] = (char)('0' + number % 10); while (number /= 10);
	for (unsigned i = 0; i < count; i++)
		reversed[i] = digits[count - 1 - i];
	reversed[count] = 0;
	return append(to, at, room, reversed);
}

/* The descriptor handed down by the recorder, or, when the program closed it, the recorder's own. */
static long open_ring(uint64_t fd, uint64_t recorder)
{
	char path[64];
	struct ring_head head;
	if (sys6(SYS_pread64, (long)fd, (long)&head, sizeof head, 0, 0, 0) == sizeof head && head.magic == RING_MAGIC)
		return (long)fd;
	unsigned at = append(path, 0, sizeof path, "/proc/");
	at = append_number(path, at, sizeof path, recorder);
	at = append(path, at, sizeof path, "/fd/");
	append_number(path, at, sizeof path, fd);
	return sys6(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0);
}

/* Segments must be aligned to their size in memory: reserve more and cut. */
static struct ring_head *map_ring(int fd, uint64_t bytes)
{
	char *space = (char *)sys6(SYS_mmap, 0, (long)(bytes + SEGMENT_BYTES), PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if ((unsigned long)space >= -4095ul)
		return NULL;
	char *aligned = (char *)(((uint64_t)space + SEGMENT_BYTES - 1) & ~(uint64_t)(SEGMENT_BYTES - 1));
	if (aligned > space)
		sys3(SYS_munmap, (long)space, aligned - space, 0);
	sys3(SYS_munmap, (long)(aligned + bytes), space + SEGMENT_BYTES - aligned, 0);
	long result = sys6(SYS_mmap, (long)aligned, (long)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	return (unsigned long)result >= -4095ul ? NULL : (struct ring_head *)result;
}

static struct ring_head *join_ring(const char *where, uint32_t *level)
{
	uint64_t fd = parse_number(&where), recorder = parse_number(&where);
	*level = (uint32_t)parse_number(&where);
	long open = open_ring(fd, recorder);
	struct ring_head head;
	if (open < 0 || sys6(SYS_pread64, open, (long)&head, sizeof head, 0, 0, 0) != sizeof head || head.magic != RING_MAGIC)
		return NULL;
	if (head.version != WIRE_RING_VERSION) {
		rt_say("this program was built by another version of raddle than records it; rebuild it with this one's raddle cc");
		return NULL;
	}
	struct ring_head *map = map_ring((int)open, head.bytes);
	if (open != (long)fd)
		sys3(SYS_close, open, 0, 0);
	return map;
}

static bool take_process(void)
{
	for (uint32_t i = 0; i < RING_PROCESSES; i++) {
		struct process_entry *process = ring_process(i);
		uint32_t state = PROC_FREE;
		if (!__atomic_compare_exchange_n(&process->state, &state, PROC_TAKEN, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		process->pid = (int32_t)sys3(SYS_getpid, 0, 0, 0);
		process->parent_pid = (int32_t)sys3(SYS_getppid, 0, 0, 0);
		process->start_time = ticks();
		long length = sys3(SYS_readlink, (long)"/proc/self/exe", (long)process->exe, sizeof process->exe - 1);
		process->exe[length > 0 ? length : 0] = 0;
		process_index = i;
		__atomic_store_n(&process->state, PROC_LIVE, __ATOMIC_RELEASE);
		return true;
	}
	__atomic_fetch_add(&ring->lost_processes, 1, __ATOMIC_RELAXED);
	return false;
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
	for (uint32_t i = 0; i < registered_count; i++)
		if (registered[i].low >= module->low && registered[i].high <= module->high) {
			module->sites_low = registered[i].low;
			module->sites_high = registered[i].high;
		}
	const char *path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : ring_process(process_index)->exe;
	append(module->path, 0, sizeof module->path, path);
}

static struct module_entry *known_module(uint64_t base)
{
	uint32_t count = ring->next_module < RING_MODULES ? ring->next_module : RING_MODULES;
	for (uint32_t i = 0; i < count; i++) {
		struct module_entry *module = ring_module(i);
		if (module->state && module->process == process_index && module->base == base)
			return module;
	}
	return NULL;
}

static int note_object(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	struct module_entry *module = known_module(info->dlpi_addr);
	if (!module) {
		uint32_t index = __atomic_fetch_add(&ring->next_module, 1, __ATOMIC_RELAXED);
		if (index >= RING_MODULES) {
			__atomic_fetch_add(&ring->lost_modules, 1, __ATOMIC_RELAXED);
			return 0;
		}
		module = ring_module(index);
		module->process = process_index;
	}
	fill_module(module, info);
	__atomic_store_n(&module->state, 1, __ATOMIC_RELEASE);
	return 0;
}

/* Tells the recorder of every object loaded now: at the start, when an object announces itself, and once more at the end. */
static void note_objects(void)
{
	if (!ring)
		return;
	rt_enter();
	dl_iterate_phdr(note_object, NULL);
	rt_leave();
}

RT_EXPORT void raddle_register(const void *low, const void *high, uint32_t version)
{
	if (version != WIRE_SITES_VERSION)
		rt_fatal("an object of this program was built by another version of raddle; rebuild it with this one's raddle cc");
	for (uint32_t i = 0; i < registered_count; i++)
		if (registered[i].low == (uint64_t)low)
			return;
	if (registered_count == MAX_REGISTERED)
		rt_fatal("more than 512 instrumented objects in one process; build some of them without raddle cc");
	registered[registered_count].low = (uint64_t)low;
	registered[registered_count].high = (uint64_t)high;
	__atomic_store_n(&registered_count, registered_count + 1, __ATOMIC_RELEASE);
	note_objects();
}

static void first_thread(uint32_t mode)
{
	struct rt_birth birth = { .mode = mode };
	birth.uid = __atomic_add_fetch(&ring->next_uid, 1, __ATOMIC_RELAXED);
	raddle_tls.inside = 0;
	rt_thread_begin(&birth, 0);
}

__attribute__((constructor(101))) static void start(void)
{
	const char *where = getenv(RING_ENV);
	uint32_t level;
	if (!where || ring)
		return;
	ring = join_ring(where, &level);
	if (!ring)
		return;
	if (!take_process()) {
		ring = NULL;
		return;
	}
	note_objects();
	bool steered = level == MODE_STEER && steer_join();
	if (steered)
		steer_first_strand();
	first_thread(steered || level <= MODE_ACCESS ? level : (uint32_t)MODE_OFF);
}

void rt_process_forked(uint64_t pc)
{
	(void)pc;
	if (!ring)
		return;
	uint32_t mode = raddle_tls.mode == MODE_STEER ? (uint32_t)MODE_OFF : raddle_tls.mode;
	steer_forked();
	raddle_tls.area = NULL;                  /* it and the segment belong to the parent, which goes on using them */
	raddle_tls.cursor = CURSOR_NONE;
	raddle_tls.mode = MODE_OFF;
	for (uint32_t i = 0; i < VERSION_STRIPES; i++)
		stripes[i].seq = 0;              /* a thread that does not exist here may have been inside */
	if (!take_process()) {
		ring = NULL;
		return;
	}
	note_objects();
	if (mode != MODE_OFF)
		first_thread(mode);
}

void rt_process_ends(enum event_kind kind, int value)
{
	if (!ring)
		return;
	steer_settle();
	struct process_entry *process = ring_process(process_index);
	process->end_value = value;
	__atomic_store_n(&process->end_kind, kind, __ATOMIC_RELEASE);
	note_objects();
}

void rt_say(const char *text)
{
	char line[512];
	unsigned at = append(line, 0, sizeof line - 1, "raddle: ");
	at = append(line, at, sizeof line - 1, text);
	line[at++] = '\n';
	sys3(SYS_write, 2, (long)line, at);
}

_Noreturn void rt_fatal(const char *text)
{
	rt_say(text);
	for (;;)
		sys3(SYS_exit_group, 125, 0, 0);
}
