/* drive/leftover.h -- the file a recording is made in, which outlives program and recorder: `.NAME.ring-PID` beside the trace NAME.
 *
 *   ring (wire/ring.h) | notes of the recorder | shelf (trace/shelf.h): what was drained and is in no block yet
 *
 * Its pages are the memory the program writes into: whatever is killed, by whatever signal, what was executed is there.  It is removed when the
 * trace is whole.  Every process that maps it holds a shared lock of it (flock), so one nobody holds is of a recording that was killed. */
#ifndef RADDLE_DRIVE_LEFTOVER_H
#define RADDLE_DRIVE_LEFTOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "drive/ring.h"
#include "trace/shelf.h"

#define NOTES_MAGIC 0x7365746f6e646461ull           /* "addnotes" */
#define NOTES_BYTES 65536u
#define NOTES_WORDS 49152u
#define NOTES_AT(ring)  ring_bytes(ring)
#define SHELF_AT(ring)  (ring_bytes(ring) + NOTES_BYTES)

/* What the drain knows and the ring does not say. */
struct leftover_notes {                             /* at most NOTES_BYTES */
	uint64_t magic;
	uint64_t start_ticks, start_time, start_realtime;
	uint64_t last_ticks;                        /* when the recorder last looked */
	uint32_t level, trace_flags;
	struct { uint32_t file, done; } process[RING_PROCESSES];        /* its file's number + 1, written before there is one; done: it is whole */
	char words[NOTES_WORDS];                    /* the program's argv, each with a zero behind it, and an empty one */
};

struct leftover {
	char path[4096];
	int fd;
	struct leftover_notes *notes;
	struct shelf shelf;
	bool made;
};

/* Makes ring, notes and shelf beside `output`.  0, or -1 and why: nothing is there then. */
struct leftover_ring { enum ring_mode mode; uint32_t level; uint64_t bytes; bool no_values; };
int  leftover_make(struct leftover *l, struct ring *r, const char *output, const struct leftover_ring *how, char *const *argv, struct err *why);
void leftover_remove(struct leftover *l);           /* the trace is whole, or nothing was recorded; the ring is the caller's to release */

/* One that was left: notes and shelf as they are.  0; 1: somebody still writes there; 2: its recorder
 * was killed before it started a program; -1 and why. */
int  leftover_open(struct leftover *l, struct ring *r, const char *path, struct err *why);
void leftover_close(struct leftover *l);
/* Those beside `output`, called one by one; how many there are. */
unsigned leftover_each(const char *output, void (*is)(void *with, const char *path), void *with);

#endif
