/* drive/ring.c -- makes the memory a recorded program writes into.  A memfd: no /dev/shm, no file, gone with its last user.
 * Offsets are computed here once and never read back from memory the program can write. */
#include "drive/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/str.h"
#include "wire/version.h"

#define SPARE_SEGMENTS RING_THREADS

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

int ring_make(struct ring *r, enum ring_mode mode, uint32_t level, uint64_t bytes, bool no_values, struct err *why)
{
	uint32_t ordinary = (uint32_t)(bytes / SEGMENT_BYTES);
	if (ordinary < 4)
		ordinary = 4;
	r->segment_total = ordinary + SPARE_SEGMENTS;
	uint64_t whole = segments_at(r->segment_total) + (uint64_t)r->segment_total * SEGMENT_BYTES;
	r->fd = memfd_create("raddle-ring", 0);
	if (r->fd < 0 || ftruncate(r->fd, (off_t)whole) < 0)
		return err_set(why, "cannot make memory to record into: %s", str_error(errno));
	r->fd = ring_move_high(r->fd);
	r->head = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (r->head == MAP_FAILED) {
		close(r->fd);
		return err_set(why, "cannot map memory to record into: %s", str_error(errno));
	}
	fill_head(r, mode, level, ordinary, whole, no_values);
	return 0;
}

struct fault_order *ring_fault(const struct ring *r)
{
	return (struct fault_order *)((char *)r->head + RING_FAULT_AT);
}

void ring_release(struct ring *r)
{
	munmap(r->head, segments_at(r->segment_total) + (uint64_t)r->segment_total * SEGMENT_BYTES);
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
