/* trace/writer.h -- a trace file being written by the recorder.
 *
 * Every call appends whole blocks; what was written stays valid if the writer dies.  The file has mode 0600. */
#ifndef RADDLE_TRACE_WRITER_H
#define RADDLE_TRACE_WRITER_H

#include <stddef.h>

#include "base/err.h"
#include "trace/format.h"

struct writer;

struct segment_note {                           /* what the head of a raw segment says, checked by the caller */
	uint32_t thread, nest, seq, at_seq, at_offset;
	uint64_t start_time, end_time;
};

/* `head` is copied; version, magic, endian and check are filled in.  0, or -1 and why. */
int  writer_open(struct writer **out, const char *path, const struct trace_head *head, struct err *why);
/* Appends one block of text lines or a MODULE block. */
int  writer_block(struct writer *w, enum block_type type, uint32_t thread, const void *payload, size_t bytes, struct err *why);
/* Makes the descriptors of an object known to the coder; `sites` is the section, loaded at `address`. The writer copies it. */
int  writer_sites(struct writer *w, uint64_t address, const void *sites, size_t bytes, struct err *why);
/* Appends records (no segment head, no zero tail). */
int  writer_records(struct writer *w, const struct segment_note *note, const void *records, size_t bytes, struct err *why);
uint64_t writer_bytes(const struct writer *w);  /* written so far, with a guess at what is held back */
uint64_t writer_events(const struct writer *w); /* events written so far; exact after writer_flush() */
/* Writes out what is held back of all lanes: before facts that count it go into the END block. */
int  writer_flush(struct writer *w, struct err *why);
/* Flushes, closes, frees w in any case.  The END block is the caller's last writer_block(). */
int  writer_close(struct writer *w, struct err *why);

#endif
