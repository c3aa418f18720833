/* trace/text.h -- the text twin of a trace: one event a line; and the plain STD lines other tools write.
 *
 * trace_open() hands every file over to text_load() that does not begin with TRACE_MAGIC.  text_load() reads the whole text
 * into a builder (trace/memory.h) and gives back what builder_finish() returns; trace_close() frees it. */
#ifndef RADDLE_TRACE_TEXT_H
#define RADDLE_TRACE_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "trace/reader.h"

/* `bytes` are the whole file and need not end in a zero; `path` is for messages and for trace_path().
 * 0 and *out, or -1 and why: the message names file and line.  With options->salvage a bad line ends the trace. */
int text_load(struct trace **out, const char *path, const char *bytes, size_t count, const struct trace_options *options,
	struct err *why);

/* Writes the twin of `t`.  Head first (threads, facts), then one line per event handed over, in the order given.
 * What text_load() makes of the output prints the same again. */
struct text_printer;
struct text_printer *text_printer_open(struct trace *t, FILE *out);     /* never NULL; writes the head */
void text_print(struct text_printer *p, const struct event *ev);
/* whole: every event was printed, and an end: line says so.  Flushes nothing of `out` itself; NULL is fine. */
void text_printer_close(struct text_printer *p, bool whole);

#endif
