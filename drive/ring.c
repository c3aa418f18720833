/* drive/ring.c -- makes the memory a recorded program writes into.  A memfd, gone with its last user; or a file, which outlives all (drive/leftover.h).
 * Offsets are computed here once and never read back from memory the program can write. */
#include "drive/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/str.h"
#include "wire/version.h"

#define SPARE_SEGMENTS RING_THREADS
#define FIRST_AREAS    64u                   /* of a ring in a file, that have room on the disk from the start */
#define MOST_SEGMENTS  (1u << 21)            /* 64 GB: the largest --last */

static uint64_t processes_at(void) { return 4096; }
static uint64_t modules_at(void) { return processes_at() + RING_PROCESSES * sizeof(struct process_entry); }
static uint64_t areas_at(void) { return (modules_at() + RING_MODULES * sizeof(struct module_entry) + 4095) & ~4095ull; }
static uint64_t states_at(void) { return areas_at() + (uint64_t)RING_THREADS * AREA_BYTES; }

static uint64_t queue_at(uint32_t total) { return states_at() + 4ull * total; }

static uint64_t segments_at(uint32_t total)
{
	return (queue_at(total) + 4ull * total + SEGMENT_BYTES - 1) & ~(uint64_t)(SEGMENT_BYTES - 1);
}

/* As high as its limit allows. */
int ring_move_high(int fd)
{
	struct rlimit limit;
	int high = 1000;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1024)
		high = (int)limit.rlim_cur - 8;
	int moved = fcntl(fd, F_DUPFD, high);
	if (moved < 0)
		return fd;
	close(fd);
	return moved;
}

/* The tail is ours: the copy in shared memory is only told. */
static void put_in_queue(struct ring *r, uint32_t segment)
{
	uint32_t *queue = (uint32_t *)((char *)r->head + queue_at(r->segment_total));
	queue[r->queue_tail++ % r->ordinary] = segment;
	__atomic_store_n(&r->head->queue_tail, r->queue_tail, __ATOMIC_RELEASE);
}

static void fill_head(struct ring *r, enum ring_mode mode, uint32_t level, uint32_t ordinary, uint64_t bytes, bool no_values)
{
	struct ring_head *h = r->head;
	h->version = WIRE_RING_VERSION;
	h->mode = mode;
	h->level = level;
	h->segment_count = ordinary;
	h->segment_spare = SPARE_SEGMENTS;
	h->bytes = bytes;
	h->recorder = getpid();
	h->keep = 1;
	h->processes_at = processes_at();
	h->modules_at = modules_at();
	h->areas_at = areas_at();
	h->states_at = states_at();
	h->queue_at = queue_at(r->segment_total);
	h->segments_at = segments_at(r->segment_total);
	r->ordinary = ordinary;
	for (uint32_t i = 0; i < ordinary; i++)
		put_in_queue(r, i);
	h->no_values = no_values;
	h->magic = RING_MAGIC;
}

static uint64_t bytes_of(uint32_t total)
{
	return segments_at(total) + (uint64_t)total * SEGMENT_BYTES;
}

uint64_t ring_bytes(const struct ring *r)
{
	return bytes_of(r->segment_total);
}

static uint32_t set_sizes(struct ring *r, uint64_t bytes)
{
	uint32_t ordinary = (uint32_t)(bytes / SEGMENT_BYTES);
	if (ordinary < 4)
		ordinary = 4;
	r->segment_total = ordinary + SPARE_SEGMENTS;
	return ordinary;
}

static int map_shared(struct ring *r, int fd, int flags, struct err *why)
{
	r->head = mmap(NULL, ring_bytes(r), PROT_READ | PROT_WRITE, flags, fd, 0);
	if (r->head == MAP_FAILED)
		return err_set(why, "cannot map memory to record into: %s", str_error(errno));
	return 0;
}

int ring_make(struct ring *r, enum ring_mode mode, uint32_t level, uint64_t bytes, bool no_values, struct err *why)
{
	uint32_t ordinary = set_sizes(r, bytes);
	r->in_file = false;
	r->fd = memfd_create("raddle-ring", 0);
	if (r->fd < 0 || ftruncate(r->fd, (off_t)ring_bytes(r)) < 0)
		return err_set(why, "cannot make memory to record into: %s", str_error(errno));
	r->fd = ring_move_high(r->fd);
	if (map_shared(r, r->fd, MAP_SHARED, why) < 0) {
		close(r->fd);
		return -1;
	}
	fill_head(r, mode, level, ordinary, ring_bytes(r), no_values);
	return 0;
}

/* A hole that is written to when the disk is full kills the writer: what is used at once has its room.  The rest the runtime asks for. */
static int reserve(const struct ring *r, int fd, uint32_t ordinary)
{
	uint64_t first = segments_at(r->segment_total);
	int failed = posix_fallocate(fd, 0, (off_t)(areas_at() + FIRST_AREAS * AREA_BYTES));
	failed = failed ? failed : posix_fallocate(fd, (off_t)states_at(), (off_t)(first - states_at()));
	return failed ? failed : posix_fallocate(fd, (off_t)first, (off_t)((uint64_t)ordinary * SEGMENT_BYTES));
}

int ring_make_in(struct ring *r, int fd, uint64_t behind, enum ring_mode mode, uint32_t level, uint64_t bytes, bool no_values, struct err *why)
{
	uint32_t ordinary = set_sizes(r, bytes);
	struct rlimit most;
	int failed = 0;
	if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < ring_bytes(r) + behind)
		failed = EFBIG;
	else if (ftruncate(fd, (off_t)(ring_bytes(r) + behind)) < 0)
		failed = errno;
	failed = failed ? failed : reserve(r, fd, ordinary);
	if (failed)
		return err_set(why, "%s", str_error(failed));
	if (map_shared(r, fd, MAP_SHARED, why) < 0)
		return -1;
	r->fd = fd;
	r->in_file = true;
	fill_head(r, mode, level, ordinary, ring_bytes(r), no_values);
	r->head->in_file = 1;
	return 0;
}

int ring_attach(struct ring *r, int fd, struct err *why)
{
	struct ring_head head;
	struct stat facts;
	if (pread(fd, &head, sizeof head, 0) != sizeof head || head.magic != RING_MAGIC || fstat(fd, &facts) < 0)
		return err_set(why, "it has no ring in it");
	if (head.version != WIRE_RING_VERSION)
		return err_set(why, "it was made by another version of raddle");
	if (head.segment_count < 4 || head.segment_count > MOST_SEGMENTS)
		return err_set(why, "it is damaged");
	r->ordinary = head.segment_count;
	r->segment_total = head.segment_count + SPARE_SEGMENTS;
	if ((uint64_t)facts.st_size < ring_bytes(r))
		return err_set(why, "it is cut short");
	r->fd = fd;
	r->in_file = true;
	r->queue_tail = 0;
	return map_shared(r, fd, MAP_PRIVATE | MAP_NORESERVE, why);
}

struct fault_order *ring_fault(const struct ring *r)
{
	return (struct fault_order *)((char *)r->head + RING_FAULT_AT);
}

void ring_release(struct ring *r)
{
	munmap(r->head, ring_bytes(r));
	close(r->fd);
}

/* Spares are taken lowest first. */
void ring_reset(struct ring *r)
{
	uint32_t *queue = (uint32_t *)((char *)r->head + queue_at(r->segment_total)), *states = ring_state(r, 0);
	for (uint32_t i = 0; i < r->ordinary; i++) {
		states[i] = SEG_FREE;
		queue[i] = i;
	}
	for (uint32_t i = r->ordinary; i < r->segment_total && states[i] != SEG_FREE; i++)
		states[i] = SEG_FREE;
	r->queue_tail = r->head->queue_tail = r->ordinary;
	r->head->queue_head = 0;
	r->head->stopped = 0;
}

static char *inside(const struct ring *r, uint64_t offset)
{
	return (char *)r->head + offset;
}

struct process_entry *ring_process(const struct ring *r, uint32_t i)
{
	check(i < RING_PROCESSES);
	return (struct process_entry *)inside(r, processes_at()) + i;
}

struct module_entry *ring_module(const struct ring *r, uint32_t i)
{
	check(i < RING_MODULES);
	return (struct module_entry *)inside(r, modules_at()) + i;
}

struct thread_area *ring_area(const struct ring *r, uint32_t i)
{
	check(i < RING_THREADS);
	return (struct thread_area *)inside(r, areas_at() + (uint64_t)i * AREA_BYTES);
}

/* Untouched areas are untouched memory: looking at them would make it real. */
uint32_t ring_area_count(const struct ring *r)
{
	uint32_t uid = __atomic_load_n(&r->head->next_uid, __ATOMIC_ACQUIRE);
	return uid < RING_THREADS - 1 ? uid + 1 : RING_THREADS;
}

uint32_t *ring_state(const struct ring *r, uint32_t segment)
{
	check(segment < r->segment_total);
	return (uint32_t *)inside(r, states_at()) + segment;
}

uint8_t *ring_segment(const struct ring *r, uint32_t segment)
{
	check(segment < r->segment_total);
	return (uint8_t *)inside(r, segments_at(r->segment_total) + (uint64_t)segment * SEGMENT_BYTES);
}

void ring_free_segment(struct ring *r, uint32_t segment)
{
	__atomic_store_n(ring_state(r, segment), SEG_FREE, __ATOMIC_RELEASE);
	if (segment < r->ordinary)
		put_in_queue(r, segment);
}

void ring_forget_segment(const struct ring *r, uint32_t segment)
{
	if (!r->in_file)                         /* the disk might have no room for it again */
		madvise(ring_segment(r, segment), SEGMENT_BYTES, MADV_REMOVE);
}

bool ring_has_waiters(const struct ring *r)
{
	return __atomic_load_n(&r->head->writers_wait, __ATOMIC_SEQ_CST) != 0;
}

void ring_wake_writers(const struct ring *r)
{
	__atomic_fetch_add(&r->head->free_futex, 1, __ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&r->head->writers_wait, 0, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &r->head->free_futex, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
