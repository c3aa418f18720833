/* trace/shelf.h -- what a writer holds back, in a file that outlives it: records of lanes that are not in a block yet.
 *
 * A shelf is a row of slots, one for each lane (thread, depth of signal handler) that is held back:
 *   struct shelf_slot | SHELF_RECORDS bytes: the records of its segments, one after the other
 *   (1) a segment counts when `count` says so, which is written last: one that was being copied when the writer was killed is none;
 *   (2) a slot is emptied after its block is in the trace: what is in both is known by its number (seq);
 *   (3) memory that was not reserved has no room on the disk, and is not touched. */
#ifndef RADDLE_TRACE_SHELF_H
#define RADDLE_TRACE_SHELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "trace/writer.h"

#define SHELF_SLOTS    256u
#define SHELF_SEGMENTS 511u
#define SHELF_RECORDS  (1u << 20)

struct shelf_segment { uint32_t seq, at_seq, at_offset, bytes; uint64_t start_time, end_time; };

struct shelf_slot {
	uint32_t file, thread, nest, count;             /* file: which of the recording's */
	uint64_t spare[2];
	struct shelf_segment segments[SHELF_SEGMENTS];
};

#define SHELF_SLOT_BYTES (sizeof(struct shelf_slot) + SHELF_RECORDS)
#define SHELF_BYTES      ((uint64_t)SHELF_SLOTS * SHELF_SLOT_BYTES)

struct shelf {
	int fd;
	uint64_t at;                                    /* in the file */
	uint8_t *map;
	uint32_t reserved[SHELF_SLOTS];                 /* bytes of each that have room on the disk */
	bool taken[SHELF_SLOTS];
	bool full;                                      /* the disk refused: nothing more is put here */
};

/* Of a file that is long enough, from `at`.  `to_write`: changes are kept.  0, or -1 and why. */
int  shelf_open(struct shelf *s, int fd, uint64_t at, bool to_write, struct err *why);
void shelf_close(struct shelf *s);
/* An empty slot for this lane; -1: all are taken, or the disk is full. */
int  shelf_take(struct shelf *s, uint32_t file, uint32_t thread, uint32_t nest);
bool shelf_any_free(const struct shelf *s);
void shelf_give(struct shelf *s, int slot);
bool shelf_reserve(struct shelf *s, int slot, size_t bytes);    /* so many bytes of records may be written */
uint8_t *shelf_records(const struct shelf *s, int slot);
struct shelf_slot *shelf_slot(const struct shelf *s, int slot);
bool shelf_has_room(const struct shelf *s, int slot);           /* for one segment more */
void shelf_add(struct shelf *s, int slot, const struct segment_note *note, size_t bytes);      /* its records are there */
void shelf_empty(struct shelf *s, int slot);                    /* its block is in the trace */

#endif
