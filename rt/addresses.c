/* rt/addresses.c -- mappings get the same addresses in every run: from a range of our own, one behind the other, never again.
 * Stacks of threads have a range for themselves.  (What the loader mapped before the runtime began lies where the system put it.)
 * A mapping of a file is kept with what the file held; a replay maps plain memory and puts that into it.  Two mappings of one file that
 * show each other's writes are one memory in a replay too, as far as the first one reaches; and what the program writes into the file shows there (mapped.h). */
#include <sys/mman.h>
#include <sys/stat.h>

#include "rt/descriptors.h"
#include "rt/input.h"
#include "rt/mapped.h"
#include "rt/restart.h"
#include "rt/world.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define PAGE   4096ull
#define LARGE  (2ull << 20)             /* mappings of this size are aligned to it: the system may use large pages */
#define TRIES  1024

static struct range { uint64_t low, high, next; } maps = { FIXED_MAPS, FIXED_STACKS, FIXED_MAPS }, stacks = { FIXED_STACKS, FIXED_HIGH, FIXED_STACKS };

static uint64_t up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) & ~(unit - 1);
}

/* The next address for so many bytes. */
static uint64_t take(struct range *r, uint64_t bytes)
{
	bytes = up(bytes, PAGE);
	uint64_t at = bytes >= LARGE ? up(r->next, LARGE) : r->next;
	if (bytes > r->high - r->low)
		return 0;
	if (at + bytes > r->high)
		at = r->low;
	r->next = at + bytes + PAGE;            /* a page between: what runs over its end is caught */
	return at;
}

/* Something lies there: further and further on, for it may be large. */
static void skip(struct range *r, int tries)
{
	r->next += PAGE << (tries < 20 ? tries : 20);
}

/* Stacks lie by themselves: where they are does not depend on what else was mapped, nor that on threads made in advance (pool.c). */
static struct range *range_of(const struct world_call *c)
{
	return c->a[3] & MAP_STACK && own_strand && own_strand->makes_default ? &stacks : &maps;
}

static bool failed(long at)
{
	return (unsigned long)at >= -4095ul;
}

static bool goes_where_we_say(const struct world_call *c)
{
	return !(c->a[3] & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT)) && c->a[1] > 0;
}

/* Like the call, at an address of ours if the program leaves it to us. */
static long placed(const struct world_call *c, long flags, long fd)
{
	if (!goes_where_we_say(c))
		return sys6(SYS_mmap, c->a[0], c->a[1], c->a[2], flags, fd, c->a[5]);
	for (int i = 0; i < TRIES; i++) {
		long wish = i == 0 && c->a[0] ? c->a[0] & ~(long)(PAGE - 1) : (long)take(range_of(c), (uint64_t)c->a[1]);
		long at = wish ? sys6(SYS_mmap, wish, c->a[1], c->a[2], flags | MAP_FIXED_NOREPLACE, fd, c->a[5]) : -ENOMEM;
		if (!failed(at) && at != wish) {         /* a kernel that does not know the flag */
			sys3(SYS_munmap, at, c->a[1], 0);
			at = -EEXIST;
		}
		if (at != -EEXIST && !(i == 0 && c->a[0] && failed(at)))
			return at;
		if (i > 0 || !c->a[0])
			skip(range_of(c), i);
	}
	return -ENOMEM;
}

/* What a file has for this mapping; pages wholly behind its end cannot be read. */
static uint64_t file_bytes(const struct world_call *c)
{
	struct stat about;
	if (!(c->a[2] & PROT_READ) || sys3(SYS_fstat, c->a[4], (long)&about, 0) < 0 || !S_ISREG(about.st_mode) || about.st_size <= c->a[5])
		return 0;
	uint64_t behind = (uint64_t)(about.st_size - c->a[5]), room = (uint64_t)c->a[1];
	return behind < room ? behind : room;
}

/* ---- files mapped more than once ---- */

struct memory { struct file_id file; uint64_t at, offset, bytes; };

static struct memory of_files[64];
static uint32_t of_files_count;

static bool is_shared(const struct world_call *c)
{
	return c->a[3] & MAP_SHARED;                    /* MAP_SHARED_VALIDATE has this bit too */
}

static struct file_id file_of(const struct world_call *c)
{
	return is_shared(c) ? mapped_file(c->a[4]) : (struct file_id){ 0, 0 };
}

/* In a replay: memory for this part of a file.  The first mapping of it is the file. */
static long map_memory(const struct world_call *c, const struct file_id *file)
{
	uint64_t offset = (uint64_t)c->a[5], bytes = up((uint64_t)c->a[1], PAGE);
	struct world_call now = *c;
	now.a[2] |= PROT_READ | PROT_WRITE;
	now.a[5] = 0;
	bool known = is_shared(c) && file && (file->device || file->number);
	long at = placed(&now, (c->a[3] & ~(MAP_SHARED_VALIDATE | MAP_PRIVATE)) | (known ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1);
	if (failed(at) || !known)
		return at;
	for (uint32_t i = 0; i < of_files_count; i++) {
		const struct memory *m = &of_files[i];
		if (m->file.device != file->device || m->file.number != file->number || offset < m->offset || offset + bytes > m->offset + m->bytes)
			continue;
		if (!failed(sys6(SYS_mremap, (long)(m->at + (offset - m->offset)), 0, (long)bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at, 0))) {
			sys3(SYS_mprotect, at, (long)bytes, PROT_READ | PROT_WRITE);
			return at;
		}
	}
	if (of_files_count < sizeof of_files / sizeof *of_files)
		of_files[of_files_count++] = (struct memory){ *file, (uint64_t)at, offset, bytes };
	long again = sys6(SYS_mremap, at, 0, (long)bytes, MREMAP_MAYMOVE, 0, 0);         /* whatever becomes of the program's */
	if (!failed(again))
		mapped_note(file, offset, bytes, (uint64_t)again);
	return at;
}

static long map_file(const struct world_call *c)
{
	if (!input_serving()) {
		long at = placed(c, c->a[3], c->a[4]);
		struct file_id file = file_of(c);
		if (!failed(at) && input_keeping())
			mapped_note(&file, (uint64_t)c->a[5], (uint64_t)c->a[1], 0);
		struct piece kept[2] = { { .at = (void *)at, .bytes = failed(at) || !input_keeping() ? 0 : file_bytes(c) },
			{ .at = &file, .bytes = sizeof file } };
		input_note(INPUT_MAP, c, failed(at) ? at : 0, kept, 2, 0, 0);
		return at;
	}
	const struct input_record *r = input_next(INPUT_MAP, c);
	if (r->result < 0)
		return r->result;
	uint64_t bytes, id_bytes;
	const void *contents = input_piece(r, 0, &bytes);
	const struct file_id *file = input_piece(r, 1, &id_bytes);
	long at = map_memory(c, id_bytes == sizeof *file ? file : NULL);
	if (failed(at))
		return at;
	if (contents && bytes <= (uint64_t)c->a[1])
		copy_bytes((void *)at, contents, bytes);
	if ((c->a[2] & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
		sys3(SYS_mprotect, at, c->a[1], c->a[2]);
	return at;
}

/* ---- mappings that change their size or their place ---- */

/* A mapping has grown where it is: what comes next lies behind it. */
static void pass_by(uint64_t end)
{
	struct range *r = end > stacks.low ? &stacks : &maps;
	if (end > r->low && end <= r->high && up(end, PAGE) + PAGE > r->next)
		r->next = up(end, PAGE) + PAGE;
}

/* An address of ours where nothing lies; it is kept by a mapping nobody can use, which the move replaces. */
static uint64_t keep_room(uint64_t bytes)
{
	for (int i = 0; i < TRIES; i++) {
		uint64_t wish = take(&maps, bytes);
		long at = wish ? sys6(SYS_mmap, (long)wish, (long)bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) : -ENOMEM;
		if (!failed(at) && (uint64_t)at != wish) {
			sys3(SYS_munmap, at, (long)bytes, 0);
			at = -EEXIST;
		}
		if (at != -EEXIST)
			return failed(at) ? 0 : wish;
		skip(&maps, i);
	}
	return 0;
}

static long move(const struct world_call *c)
{
	uint64_t bytes = (uint64_t)c->a[2], where = keep_room(bytes);
	if (!where)
		return -ENOMEM;
	long at = sys6(SYS_mremap, c->a[0], c->a[1], c->a[2], c->a[3] | MREMAP_FIXED, (long)where, 0);
	if (failed(at))
		sys3(SYS_munmap, (long)where, (long)bytes, 0);
	return at;
}

static long remap(const struct world_call *c)
{
	if (!(c->a[3] & MREMAP_MAYMOVE) || c->a[3] & MREMAP_FIXED) {
		long at = kernel_call(c);
		if (!failed(at) && at == c->a[0])
			pass_by((uint64_t)at + (uint64_t)c->a[2]);
		return at;
	}
	if (!(c->a[3] & MREMAP_DONTUNMAP)) {
		long at = sys6(SYS_mremap, c->a[0], c->a[1], c->a[2], c->a[3] & ~(long)MREMAP_MAYMOVE, 0, 0);
		if (!failed(at))
			pass_by((uint64_t)at + (uint64_t)c->a[2]);
		if (at != -ENOMEM && at != -EFAULT)
			return at;
	}
	return move(c);
}

/* ---- memory other processes may have too ---- */

static struct { uint64_t low, high; bool anonymous, written; } lent[64];   /* written: by this process too */
static uint32_t lent_count;

bool map_lends(void)
{
	for (uint32_t i = 0; i < lent_count; i++)
		if (lent[i].written)
			return true;
	return false;
}

bool map_is_lent(uint64_t address)
{
	if (rt_unlikely(lent_count == sizeof lent / sizeof *lent))     /* there may be more */
		return true;
	for (uint32_t i = 0; i < lent_count; i++)
		if (address >= lent[i].low && address < lent[i].high)
			return !lent[i].anonymous || fds_are_shared();         /* only a child can have it then */
	return false;
}

bool map_some_lent(void)
{
	for (uint32_t i = 0; i < lent_count; i++)
		if (map_is_lent(lent[i].low))
			return true;
	return false;
}

void map_lend(uint64_t at, uint64_t bytes, bool anonymous, bool written)
{
	if (lent_count == sizeof lent / sizeof *lent)
		return;
	lent[lent_count].low = at;
	lent[lent_count].high = at + bytes;
	lent[lent_count].anonymous = anonymous;
	lent[lent_count++].written = written;
}

static void note_lent(const struct world_call *c, long at)
{
	if (!failed(at) && is_shared(c) && c->a[2] & (PROT_READ | PROT_WRITE))
		map_lend((uint64_t)at, (uint64_t)c->a[1], c->a[3] & MAP_ANONYMOUS, c->a[2] & PROT_WRITE);
}

/* What is lent stays so at another place. */
static void note_moved(const struct world_call *c, long at)
{
	for (uint32_t i = 0, known = lent_count; i < known && !failed(at); i++)
		if ((uint64_t)c->a[0] >= lent[i].low && (uint64_t)c->a[0] < lent[i].high && lent_count < sizeof lent / sizeof *lent) {
			lent[lent_count] = lent[i];
			lent[lent_count].low = (uint64_t)at;
			lent[lent_count++].high = (uint64_t)at + (uint64_t)c->a[2];
		}
}

long map_call(struct world_call *c)
{
	if (c->number == SYS_mremap) {
		long moved = remap(c);
		note_moved(c, moved);
		return moved;
	}
	long at = c->a[3] & MAP_ANONYMOUS ? placed(c, c->a[3], c->a[4]) : map_file(c);
	note_lent(c, at);
	if (rt_unlikely(restart_on))
		restart_mapped(c, at);
	return at;
}
