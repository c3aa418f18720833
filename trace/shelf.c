/* trace/shelf.c -- see shelf.h. */
#include "trace/shelf.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/str.h"

#define RESERVE 65536u                          /* at least so much at a time */

_Static_assert(sizeof(struct shelf_slot) == 16384 && SHELF_SLOT_BYTES % 4096 == 0, "shelf.h");

int shelf_open(struct shelf *s, int fd, uint64_t at, bool to_write, struct err *why)
{
	*s = (struct shelf){ .fd = fd, .at = at };
	s->map = mmap(NULL, SHELF_BYTES, to_write ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, (off_t)at);
	if (s->map != MAP_FAILED)
		return 0;
	s->map = NULL;
	return err_set(why, "cannot map what is held back: %s", str_error(errno));
}

void shelf_close(struct shelf *s)
{
	if (s->map)
		munmap(s->map, SHELF_BYTES);
	s->map = NULL;
}

struct shelf_slot *shelf_slot(const struct shelf *s, int slot)
{
	return (struct shelf_slot *)(s->map + (size_t)slot * SHELF_SLOT_BYTES);
}

uint8_t *shelf_records(const struct shelf *s, int slot)
{
	return (uint8_t *)(shelf_slot(s, slot) + 1);
}

bool shelf_reserve(struct shelf *s, int slot, size_t bytes)
{
	size_t need = sizeof(struct shelf_slot) + bytes, had = s->reserved[slot];
	if (need <= had)
		return true;
	size_t more = 2 * had > RESERVE ? 2 * had : RESERVE;
	need = need > more ? need : more;
	need = need < SHELF_SLOT_BYTES ? need : SHELF_SLOT_BYTES;
	off_t at = (off_t)(s->at + (uint64_t)slot * SHELF_SLOT_BYTES);
	if (bytes > SHELF_RECORDS || posix_fallocate(s->fd, at + (off_t)had, (off_t)(need - had)) != 0) {
		s->full = true;
		return false;
	}
	s->reserved[slot] = (uint32_t)need;
	return true;
}

static int first_free(const struct shelf *s)
{
	int slot = 0;
	while (slot < (int)SHELF_SLOTS && s->taken[slot])
		slot++;
	return slot;
}

bool shelf_any_free(const struct shelf *s)
{
	return first_free(s) < (int)SHELF_SLOTS;
}

int shelf_take(struct shelf *s, uint32_t file, uint32_t thread, uint32_t nest)
{
	int slot = first_free(s);
	if (slot == (int)SHELF_SLOTS || s->full || !shelf_reserve(s, slot, 0))
		return -1;
	struct shelf_slot *x = shelf_slot(s, slot);
	__atomic_store_n(&x->count, 0, __ATOMIC_RELEASE);
	x->file = file;
	x->thread = thread;
	x->nest = nest;
	s->taken[slot] = true;
	return slot;
}

void shelf_give(struct shelf *s, int slot)
{
	shelf_empty(s, slot);
	s->taken[slot] = false;
}

bool shelf_has_room(const struct shelf *s, int slot)
{
	return shelf_slot(s, slot)->count < SHELF_SEGMENTS;
}

void shelf_add(struct shelf *s, int slot, const struct segment_note *note, size_t bytes)
{
	struct shelf_slot *x = shelf_slot(s, slot);
	x->segments[x->count] = (struct shelf_segment){ note->seq, note->at_seq, note->at_offset, (uint32_t)bytes,
		note->start_time, note->end_time };
	__atomic_store_n(&x->count, x->count + 1, __ATOMIC_RELEASE);
}

void shelf_empty(struct shelf *s, int slot)
{
	__atomic_store_n(&shelf_slot(s, slot)->count, 0, __ATOMIC_RELEASE);
}
