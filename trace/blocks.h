/* trace/blocks.h -- the sound blocks of a trace that may have been cut, one after the other, as its writer was given them. */
#ifndef RADDLE_TRACE_BLOCKS_H
#define RADDLE_TRACE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/format.h"
#include "trace/writer.h"

struct blocks_taker {
	void (*text)(void *with, enum block_type type, uint32_t thread, const void *bytes, size_t count);      /* also MODULE */
	void (*segment)(void *with, const struct segment_note *note, const uint8_t *records, size_t bytes);
	void *with;
};

/* The head of the trace at `path`; false: there is none. */
bool blocks_head(const char *path, struct trace_head *head);
/* Up to its end, or to the first block that is not whole.  true: there was an END block. */
bool blocks_each(const char *path, const struct blocks_taker *taker);

#endif
