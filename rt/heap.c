/* rt/heap.c -- the heap of a steered run.
 *
 * One region at a fixed address, beside it one byte for each 16 of it that says what they are.  A block is
 *
 *   edge: struct block (48 bytes) | the program's bytes, rounded up | edge (16 bytes, at least)
 *
 *   unique  memory is never given out again, so whoever keeps a pointer too long is caught whatever ran in between; pages
 *           whose blocks are all freed are given back to the system;
 *   reuse   a freed block is given out again to the next request of its size class, last freed first: what was freed by one
 *           thread comes back soon, to whoever asks, so ABA can happen, the same way in each run.
 *
 * Either may be *apart*: each strand has a slice of the addresses and a list of blocks it freed of its own, so that what it is given hangs on
 * what it did itself, and not on who was first.
 *
 * To copy a process is to go through all it has mapped: a heap begins small, with its marks among the runtime's variables, and is given the
 * rest of its addresses when it outgrows that.  What lies there is in large pages.
 *
 * Exactly one strand runs at a time; only kernel threads on their way out (baton.c) may come at another moment: a lock keeps
 * the structure whole, and what they free is not reused, so that nothing depends on when they came. */
#include "rt/heap.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include "rt/objects.h"
#include "rt/restart.h"
#include "rt/steer.h"
#include "rt/sys.h"

#define HEAP_SPACE  (1ull << 40)
#define LEAST_SPACE (1ull << 32)
#define SMALL       (4ull << 20)                /* a heap is so large at first; what lies beyond is in large pages, if the system has them */
#define LARGE       (2ull << 20)
#define CHUNK       (64u << 10)                 /* what is given back to the system at a time: its marks are one page */
#define MAGIC_LIVE  0x6576696cu
#define CLASSES     (64u + 40u)
#define POISON      0xa5

struct block {                                  /* in front of the program's bytes; a multiple of a granule */
	uint32_t magic;
	uint16_t given_by, freed_by;            /* strand + 1 */
	uint64_t bytes;                         /* asked for */
	uint64_t room;                          /* given */
	struct block *next_free;
	uint64_t given_place, freed_place;
};
_Static_assert(sizeof(struct block) % HEAP_GRANULE == 0, "blocks begin at a granule");

uint64_t heap_base, heap_bytes, heap_caller;
uint8_t *heap_granules;

/* Where blocks come from: offsets of the first byte never given out and of the first that is not its own; freed blocks.  There is one for
 * all, or one a strand. */
struct slice { uint64_t used, end; struct block *free[CLASSES]; };
#define SLICES 128u                             /* strands beyond share them */

static struct slice whole;
static struct slice slices[SLICES] __attribute__((aligned(4096)));
static uint64_t space;                          /* what heap_bytes can become */
static uint64_t most;                           /* bytes of one block */
static bool reuses, apart;
static uint32_t *live_in_chunk;                 /* blocks that touch each chunk and are not freed */
static uint32_t lock;

/* Marks and counts of a small heap. */
static uint8_t first_granules[SMALL / HEAP_GRANULE] __attribute__((aligned(4096)));
static uint32_t first_counts[SMALL / CHUNK];

static void take_lock(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		sys3(SYS_sched_yield, 0, 0, 0);
}

static void drop_lock(void)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static void *reserve(uint64_t at, uint64_t bytes)
{
	long got = sys6(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
	return (unsigned long)got >= -4095ul ? NULL : (void *)got;
}

static void release(void *at, uint64_t bytes)
{
	if (at)
		sys3(SYS_munmap, (long)at, (long)bytes, 0);
}

/* How much address space there is for it: it is had, and given back. */
static uint64_t find_space(void)
{
	for (uint64_t bytes = HEAP_SPACE; bytes >= LEAST_SPACE; bytes /= 4) {
		void *base = reserve(FIXED_LOW, bytes), *granules = base ? reserve(0, bytes / HEAP_GRANULE) : NULL;
		release(base, bytes);
		release(granules, bytes / HEAP_GRANULE);
		if (granules)
			return bytes;
	}
	return 0;
}

/* A block larger than the machine is refused, as the system would: a wrong size is an error of the program's here, too, and marks for it
 * would be a sixteenth of it. */
static uint64_t find_most(void)
{
	struct sysinfo machine;
	if (sys3(SYS_sysinfo, (long)&machine, 0, 0) < 0)
		return space;
	uint64_t bytes = ((uint64_t)machine.totalram + machine.totalswap) * machine.mem_unit;
	return bytes < space ? bytes : space;
}

/* Where a strand's slice of the small heap begins: the first has half of it. */
static uint64_t slice_begin(uint64_t i)
{
	return i ? SMALL / 2 + SMALL / 2 / SLICES * (i - 1) : 0;
}

static void cut_slices(void)
{
	whole.end = space;
	for (uint64_t i = 0; apart && i < SLICES; i++) {
		slices[i].used = slice_begin(i);
		slices[i].end = slice_begin(i + 1);
	}
}

bool heap_start(uint32_t kind)
{
	space = find_space();
	most = find_most();
	void *base = space ? reserve(FIXED_LOW, SMALL) : NULL;
	if (!base)
		return false;
	heap_granules = first_granules;
	live_in_chunk = first_counts;
	reuses = kind == HEAP_REUSE || kind == HEAP_APART_REUSE;
	apart = kind == HEAP_APART || kind == HEAP_APART_REUSE;
	heap_base = (uint64_t)base;
	heap_bytes = SMALL;
	cut_slices();
	return true;
}

static void copy_marks(uint8_t *to, uint64_t from, uint64_t upto)
{
	memcpy(to + from / HEAP_GRANULE, first_granules + from / HEAP_GRANULE, (upto - from) / HEAP_GRANULE);
}

bool heap_grow(void)
{
	if (heap_bytes != SMALL)
		return heap_bytes != 0;
	uint8_t *granules = reserve(0, space / HEAP_GRANULE);
	uint32_t *counts = granules ? reserve(0, space / CHUNK * sizeof *counts) : NULL;
	void *rest = counts ? reserve(FIXED_LOW + SMALL, space - SMALL) : NULL;
	if (!rest) {
		release(granules, space / HEAP_GRANULE);
		release(counts, space / CHUNK * sizeof *counts);
		return false;
	}
	restart_not(SYS_mmap + 1);
	copy_marks(granules, 0, whole.used);
	for (uint64_t i = 0; apart && i < SLICES; i++)
		copy_marks(granules, slice_begin(i), slices[i].used < SMALL ? slices[i].used : slice_begin(i + 1));
	memcpy(counts, first_counts, sizeof first_counts);
	heap_granules = granules;
	live_in_chunk = counts;
	heap_bytes = space;
	sys3(SYS_madvise, (long)rest, (long)(space - SMALL), MADV_HUGEPAGE);
	sys3(SYS_madvise, (long)(granules + LARGE), (long)(space / HEAP_GRANULE - LARGE), MADV_HUGEPAGE);
	return true;
}

bool heap_reuses(void)
{
	return heap_bytes && reuses;
}

bool heap_is_apart(void)
{
	return heap_bytes && apart;
}

static struct slice *own_slice(void)
{
	return apart ? &slices[own_strand ? own_strand->number % SLICES : 0] : &whole;
}

/* A strand's slice of the small heap is full: it goes on in one of the rest. */
static bool slice_widen(struct slice *s)
{
	uint64_t each = (space - SMALL) / SLICES / CHUNK * CHUNK;
	if (s->used >= SMALL || !apart)
		return false;
	s->used = SMALL + each * (uint64_t)(s - slices);
	s->end = s->used + each;
	return true;
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* Sizes up to 1 KB in steps of a granule, then by powers of two. */
static unsigned class_of(uint64_t room)
{
	if (room <= 1024)
		return (unsigned)(room / HEAP_GRANULE);
	return 64 + (64 - (unsigned)__builtin_clzll(room - 1)) - 10;
}

static uint64_t room_for(uint64_t bytes)
{
	uint64_t room = round_up(bytes ? bytes : 1, HEAP_GRANULE);
	if (reuses && room > 1024)
		room = 1ull << (64 - __builtin_clzll(room - 1));
	return room;
}

static void mark(const void *at, uint64_t bytes, uint8_t what)
{
	memset(heap_granules + ((uint64_t)at - heap_base) / HEAP_GRANULE, what, bytes / HEAP_GRANULE);
}

static struct block *block_of(const void *p)
{
	return (struct block *)p - 1;
}

static uint64_t first_chunk(const struct block *b)
{
	return ((uint64_t)b - heap_base) / CHUNK;
}

static uint64_t last_chunk(const struct block *b)
{
	return ((uint64_t)(b + 1) + b->room - 1 - heap_base) / CHUNK;
}

static void give_out(struct block *b, uint64_t bytes)
{
	char *p = (char *)(b + 1);
	b->magic = MAGIC_LIVE;
	b->bytes = bytes;
	b->given_by = own_strand ? (uint16_t)(own_strand->number + 1) : 0;
	b->given_place = heap_caller;
	if (reuses)
		mark(p, b->room, GRANULE_EDGE);
	mark(p, bytes / HEAP_GRANULE * HEAP_GRANULE, HEAP_GRANULE);
	if (bytes % HEAP_GRANULE)
		heap_granules[((uint64_t)p - heap_base + bytes) / HEAP_GRANULE] = bytes % HEAP_GRANULE;
	for (uint64_t i = first_chunk(b); i <= last_chunk(b); i++)
		live_in_chunk[i]++;
}

static struct block *from_free_list(uint64_t room, uint64_t align)
{
	struct block **list = &own_slice()->free[class_of(room)];
	struct block *b = *list;
	if (!reuses || align > HEAP_GRANULE || !b || b->room < room)
		return NULL;
	*list = b->next_free;
	return b;
}

static struct block *never_used(uint64_t room, uint64_t align)
{
	struct slice *from = own_slice();
	uint64_t p, end;
	do {
		p = round_up(heap_base + from->used + sizeof(struct block), align);
		end = p - heap_base + room + HEAP_GRANULE;
	} while (end > from->end && slice_widen(from));
	if (end > from->end || (end > heap_bytes && (!heap_grow() || end > heap_bytes)))
		return NULL;
	struct block *b = (struct block *)p - 1;
	mark((void *)(heap_base + from->used), end - from->used, GRANULE_EDGE);
	b->room = room;
	from->used = end;
	return b;
}

void *heap_memalign(size_t align, size_t bytes)
{
	if (align < HEAP_GRANULE)
		align = HEAP_GRANULE;
	if (bytes > most || align > most) {
		errno = ENOMEM;
		return NULL;
	}
	uint64_t room = room_for(bytes);
	take_lock();
	struct block *b = from_free_list(room, align);
	if (!b)
		b = never_used(room, align);
	if (b)
		give_out(b, bytes);
	drop_lock();
	if (!b)
		errno = ENOMEM;
	return b ? b + 1 : NULL;
}

void *heap_malloc(size_t bytes)
{
	return heap_memalign(HEAP_GRANULE, bytes);
}

void *heap_calloc(size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	void *p = heap_malloc(bytes);
	if (p && reuses)                        /* memory never used is zero */
		memset(p, 0, bytes);
	return p;
}

/* ---- giving back ---- */

static uint8_t granule_at(uint64_t offset)
{
	return heap_granules[offset / HEAP_GRANULE];
}

/* The block that is or was at this offset, or ends in front of it; NULL: its marks are gone. */
static const struct block *block_near(uint64_t offset)
{
	while (offset >= HEAP_GRANULE && granule_at(offset) == GRANULE_EDGE)
		offset -= HEAP_GRANULE;
	while (offset >= HEAP_GRANULE && granule_at(offset) != GRANULE_EDGE && granule_at(offset) != GRANULE_NONE)
		offset -= HEAP_GRANULE;
	if (granule_at(offset) != GRANULE_EDGE || offset < sizeof(struct block) - HEAP_GRANULE)
		return NULL;
	return (const struct block *)(heap_base + (offset / HEAP_GRANULE + 1) * HEAP_GRANULE) - 1;
}

/* The block in whose edge in front this offset lies, or NULL. */
static const struct block *block_behind(uint64_t offset)
{
	if (granule_at(offset) != GRANULE_EDGE)
		return NULL;
	for (uint64_t next = offset + HEAP_GRANULE; next <= offset + sizeof(struct block) && next < heap_bytes; next += HEAP_GRANULE)
		if (granule_at(next) != GRANULE_EDGE)
			return granule_at(next) == GRANULE_NONE ? NULL :
				(const struct block *)(heap_base + next / HEAP_GRANULE * HEAP_GRANULE) - 1;
	return NULL;
}

static _Noreturn void memory_error(const char *text, const void *at)
{
	const struct block *b = heap_owns(at) ? block_behind((uint64_t)at - heap_base) : NULL;
	if (!b && heap_owns(at))
		b = block_near((uint64_t)at - heap_base);
	steer->address = (uint64_t)at;
	if (b)
		steer->block = (struct steer_block){ .at = (uint64_t)(b + 1), .bytes = b->bytes, .given_place = b->given_place,
			.given_by = b->given_by, .freed_place = b->magic == MAGIC_LIVE ? 0 : b->freed_place,
			.freed_by = b->magic == MAGIC_LIVE ? 0 : b->freed_by, .memory = STEER_HEAP };
	steer_give_up(OUTCOME_MEMORY, text);
}

/* Was given out once and is no more: marked so, or in a chunk whose marks were let go. */
static bool is_freed(const void *p)
{
	uint64_t offset = (uint64_t)p - heap_base;
	uint8_t what = heap_granules[offset / HEAP_GRANULE];
	return what == GRANULE_FREED || (what == GRANULE_NONE && offset < whole.used);
}

void heap_freed_twice(const void *p)
{
	if (heap_owns(p) && is_freed(p))
		memory_error("double free", p);
}

void heap_refuse(const void *p)
{
	if (heap_bytes && own_strand && p && (thread_stack_has(p) || objects_have(p)))
		memory_error(thread_stack_has(p) ? "memory of the stack is freed" : "memory of a variable is freed", p);
}

static struct block *checked_block(void *p, const char *freed_text)
{
	struct block *b = block_of(p);
	if (is_freed(p))
		memory_error(freed_text, p);
	if ((uint64_t)p % HEAP_GRANULE || (uint64_t)p - heap_base < sizeof *b || b->magic != MAGIC_LIVE)
		memory_error("a pointer is freed that no allocation gave", p);
	return b;
}

static void drop_pages(uint64_t from, uint64_t to)
{
	restart_not(SYS_madvise + 1);
	sys3(SYS_madvise, (long)(heap_base + from * CHUNK), (long)((to - from) * CHUNK), MADV_DONTNEED);
	sys3(SYS_madvise, (long)(heap_granules + from * CHUNK / HEAP_GRANULE), (long)((to - from) * CHUNK / HEAP_GRANULE), MADV_DONTNEED);
}

/* Chunks in which nothing lives and nothing will: the system may have the pages, and those of the marks. */
static void let_go(const struct block *b)
{
	uint64_t first = first_chunk(b), last = last_chunk(b), from = last + 1;
	for (uint64_t i = first; i <= last; i++) {
		bool dead = --live_in_chunk[i] == 0 && (i + 1) * CHUNK <= whole.used && !reuses;
		if (dead && from > i)
			from = i;
		if (from <= i && (!dead || i == last))
			drop_pages(from, i + dead);
		if (!dead)
			from = last + 1;
	}
}

void heap_free(void *p)
{
	struct block *b = checked_block(p, "double free");
	take_lock();
	b->magic = 0;
	b->freed_by = own_strand ? (uint16_t)(own_strand->number + 1) : 0;
	b->freed_place = own_strand ? own_strand->last_place : 0;
	mark(p, b->room, GRANULE_FREED);
	if (reuses && own_strand) {
		memset(p, POISON, b->room < 256 ? b->room : 256);
		struct block **list = &own_slice()->free[class_of(b->room)];
		b->next_free = *list;
		*list = b;
	}
	let_go(b);
	drop_lock();
}

size_t heap_usable(const void *p)
{
	return block_of(p)->bytes;
}

void *heap_realloc(void *old, size_t bytes)
{
	if (!old)
		return heap_malloc(bytes);
	struct block *b = checked_block(old, "realloc of freed memory");
	if (!bytes) {
		heap_free(old);
		return NULL;
	}
	void *p = heap_malloc(bytes);
	if (!p)
		return NULL;
	memcpy(p, old, b->bytes < bytes ? b->bytes : bytes);
	heap_free(old);
	return p;
}

/* ---- accesses ---- */

void heap_check_range(const void *at, uint64_t bytes, bool is_write)
{
	if (!heap_bytes || (uint64_t)at - heap_base >= heap_bytes)
		return;
	uint64_t offset = (uint64_t)at - heap_base, end = offset + bytes;
	while (offset < end && offset < heap_bytes) {
		uint8_t what = heap_granules[offset / HEAP_GRANULE];
		uint64_t in = offset % HEAP_GRANULE, upto = end - offset + in < HEAP_GRANULE ? end - offset + in : HEAP_GRANULE;
		if (is_freed((void *)(heap_base + offset)))
			memory_error(is_write ? "write to freed memory" : "read of freed memory", (void *)(heap_base + offset));
		if (what > HEAP_GRANULE || upto > what)
			memory_error(block_behind(offset) ? is_write ? "write in front of a heap block" : "read in front of a heap block" :
				is_write ? "write beyond a heap block" : "read beyond a heap block", (void *)(heap_base + offset));
		offset += upto - in;
	}
}
