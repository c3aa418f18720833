/* trace/writer.h -- a trace file being written by the recorder.
 *
 * Every call appends whole blocks; what was written stays valid if the writer dies.  The file has mode 0600.
 *
 * A trace of total order (head.order) is the same, byte for byte, whenever the same records, blocks and site tables are given,
 * however they are cut into calls and whichever lane comes first.  So the head has no time and no process id; blocks are cut by
 * what is in them, and stand, once the END block is there, in an order of their own (sorted.h).  Blocks of text are the
 * caller's: they too must say nothing that differs from run to run. */
#ifndef RADDLE_TRACE_WRITER_H
#define RADDLE_TRACE_WRITER_H

#include <stddef.h>

#include "base/err.h"
#include "trace/format.h"
#include "trace/moved.h"

struct writer;

struct segment_note {                           /* what the head of a raw segment says, checked by the caller */
	uint32_t thread, nest, seq, at_seq, at_offset;
	uint64_t start_time, end_time;
};

/* `head` is copied; version, magic, endian and check are filled in.  0, or -1 and why. */
int  writer_open(struct writer **out, const char *path, const struct trace_head *head, struct err *why);
/* Appends one block of text lines or a MODULE block. */
int  writer_block(struct writer *w, enum block_type type, uint32_t thread, const void *payload, size_t bytes, struct err *why);
/* Makes the descriptors of an object known to the coder; `sites` is the section, loaded at `address` (really). The writer copies it. */
int  writer_sites(struct writer *w, uint64_t address, const void *sites, size_t bytes, struct err *why);
/* Appends records (no segment head, no zero tail).  With ORDER_TOTAL a lane is one row of bytes: where segments begin and end, and
 * what `note` says of time, leaves no trace. */
int  writer_records(struct writer *w, const struct segment_note *note, const void *records, size_t bytes, struct err *why);
/* Records that are held back lie there from now on (trace/shelf.h), as those of file `file`: before the first are given; not for ORDER_TOTAL. */
struct shelf;
void writer_shelf(struct writer *w, struct shelf *shelf, uint32_t file);
/* Where memory of this run lay and is said to lie, for all records, modules and site tables given from now on. */
void writer_moved(struct writer *w, const struct moved_range *ranges, size_t count);
uint64_t writer_address(const struct writer *w, uint64_t address);      /* as the file says it: for blocks of text */
uint64_t writer_bytes(const struct writer *w);  /* written so far, with a guess at what is held back */
uint64_t writer_guess(const struct writer *w, uint64_t raw);    /* what so many bytes of records are likely to take */
uint64_t writer_events(const struct writer *w); /* events written so far; exact after writer_flush() */
/* The code addresses, and descriptors, the control records written so far came from; none in a total order.  After writer_flush(): all. */
const uint64_t *writer_code(const struct writer *w, size_t *count);
/* Writes out what is held back of all lanes: before facts that count it go into the END block. */
int  writer_flush(struct writer *w, struct err *why);
/* Flushes, closes, frees w in any case.  The END block is the caller's last writer_block(). */
int  writer_close(struct writer *w, struct err *why);

#endif
