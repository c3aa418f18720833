/* rt/process.c -- a process joins the recording: maps the ring, names itself and the objects it has loaded.
 * Started by a constructor of the runtime, which runs before those of the program.  Without RING_ENV in the
 * environment, when the ring cannot be had, or when the program has more rights than its caller, who could write anything into the
 * ring (setuid), it runs as if it had been built without raddle. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "rt/anchors.h"
#include "rt/known.h"
#include "rt/objects.h"
#include "rt/restart.h"
#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/steer.h"
#include "rt/stripe.h"
#include "rt/sys.h"
#include "rt/words.h"
#include "wire/version.h"

static uint64_t parse_number(const char **at)
{
	uint64_t value = words_number(at);
	if (**at == ':')
		(*at)++;
	return value;
}

/* The descriptor handed down by the recorder, or, when the program closed it, the recorder's own. */
static long open_ring(uint64_t fd, uint64_t recorder)
{
	char path[64];
	struct ring_head head;
	if (sys6(SYS_pread64, (long)fd, (long)&head, sizeof head, 0, 0, 0) == sizeof head && head.magic == RING_MAGIC)
		return (long)fd;
	unsigned at = words_add(path, 0, sizeof path, "/proc/");
	at = words_add_number(path, at, sizeof path, recorder);
	at = words_add(path, at, sizeof path, "/fd/");
	words_add_number(path, at, sizeof path, fd);
	long own = sys6(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0);
	if (own >= 0)
		sys3(SYS_flock, own, LOCK_SH | LOCK_NB, 0);     /* as the one handed down is: somebody still writes there */
	return own;
}

#define GUARD 65536u                             /* bytes in front of the ring and behind it nobody may touch */

/* Segments must be aligned to their size in memory: reserve more and cut.  A program that runs over the end of what is its own, of a stack say, dies in
 * front of it, as it would without raddle, and does not take along what was told. */
static struct ring_head *map_ring(int fd, uint64_t bytes)
{
	char *space = (char *)sys6(SYS_mmap, 0, (long)(bytes + SEGMENT_BYTES + 2 * GUARD), PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if ((unsigned long)space >= -4095ul)
		return NULL;
	char *aligned = (char *)(((uint64_t)space + GUARD + SEGMENT_BYTES - 1) & ~(uint64_t)(SEGMENT_BYTES - 1));
	char *low = aligned - GUARD, *high = aligned + bytes + GUARD, *end = space + bytes + SEGMENT_BYTES + 2 * GUARD;
	if (low > space)
		sys3(SYS_munmap, (long)space, low - space, 0);
	if (end > high)
		sys3(SYS_munmap, (long)high, end - high, 0);
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

static char **first_arguments;

static bool take_process(bool forked)
{
	for (uint32_t i = 0; i < RING_PROCESSES; i++) {
		struct process_entry *process = ring_process(i);
		uint32_t state = PROC_FREE;
		if (!__atomic_compare_exchange_n(&process->state, &state, PROC_TAKEN, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		process->pid = (int32_t)sys3(SYS_getpid, 0, 0, 0);
		process->parent_pid = (int32_t)sys3(SYS_getppid, 0, 0, 0);
		process->forked = forked;
		process->start_time = ticks();
		long length = sys3(SYS_readlink, (long)"/proc/self/exe", (long)process->exe, sizeof process->exe - 1);
		process->exe[length > 0 ? length : 0] = 0;
		process_index = i;
		anchors_note(process, first_arguments);
		__atomic_store_n(&process->state, PROC_LIVE, __ATOMIC_RELEASE);
		return true;
	}
	__atomic_fetch_add(&ring->lost_processes, 1, __ATOMIC_RELAXED);
	return false;
}

static void first_thread(uint32_t mode)
{
	struct rt_birth birth = { .mode = mode };
	birth.uid = __atomic_add_fetch(&ring->next_uid, 1, __ATOMIC_RELAXED);
	raddle_tls.inside = 0;
	rt_thread_begin(&birth, 0, 0);
}

__attribute__((constructor(101))) static void start(int argc, char **argv)
{
	(void)argc;
	const char *where = getenv(RING_ENV);
	uint32_t level;
	if (!where || ring || getauxval(AT_SECURE))
		return;
	ring = join_ring(where, &level);
	if (!ring)
		return;
	first_arguments = argv;
	thread_arguments_at = (uint64_t)argv;
	if (!take_process(false)) {
		ring = NULL;
		return;
	}
	objects_note();
	known_start();
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
	uint32_t mode = raddle_tls.mode;
	bool steered = mode == MODE_STEER;
	steer_forked();
	raddle_tls.area = NULL;                  /* it and the segment belong to the parent, which goes on using them */
	raddle_tls.cursor = CURSOR_NONE;
	raddle_tls.mode = MODE_OFF;
	for (uint32_t i = 0; i < VERSION_STRIPES; i++)
		stripes[i].seq = 0;              /* a thread that does not exist here may have been inside */
	uint32_t parent = process_index;
	if (steered) {                           /* its child is nobody's: what its functions still note goes nowhere */
		static char nowhere[AREA_BYTES] __attribute__((aligned(64)));
		ring = NULL;
		raddle_tls.area = (struct thread_area *)nowhere;
		return;
	}
	if (!take_process(true)) {
		ring = NULL;
		return;
	}
	objects_forked(parent);
	if (mode != MODE_OFF)
		first_thread(mode);
}

void rt_process_ends(enum event_kind kind, int value)
{
	if (!ring)
		return;
	if (kind == EV_EXIT)
		steer_exits();
	else
		steer_settle();
	struct process_entry *process = ring_process(process_index);
	process->end_value = value;
	__atomic_store_n(&process->end_kind, kind, __ATOMIC_RELEASE);
	if (!restart_on)                         /* then none came to be loaded since it began */
		objects_note();
}

void rt_say(const char *text)
{
	char line[512];
	unsigned at = words_add(line, 0, sizeof line - 1, "raddle: ");
	at = words_add(line, at, sizeof line - 1, text);
	line[at++] = '\n';
	sys3(SYS_write, 2, (long)line, at);
}

_Noreturn void rt_fatal(const char *text)
{
	rt_say(text);
	for (;;)
		sys3(SYS_exit_group, 125, 0, 0);
}
