/* trace/memory.h -- a trace built event by event in memory, for text twins and imports.
 *
 * builder_new, then threads, facts, places and events in any order that names a thing before it is used, then
 * builder_finish.  Whatever is handed in is copied; strings and places given back live as long as the trace.
 *   (1) events of one thread are given in its program order; their `index` is set here;
 *   (2) with ORDER_TOTAL the order of the calls to builder_event() is the order of the run, and merged_next() gives it back;
 *   (3) with ORDER_PER_OBJECT merged_next() goes by versions and time hints, as for a recorded trace. */
#ifndef RADDLE_TRACE_MEMORY_H
#define RADDLE_TRACE_MEMORY_H

#include <stddef.h>

#include "trace/reader.h"

struct builder;

struct builder *builder_new(const char *path, enum trace_order order);   /* never NULL */
void builder_drop(struct builder *b);                                    /* instead of builder_finish; NULL is fine */
struct trace *builder_finish(struct builder *b);                         /* never NULL; b is gone */

/* What the head of a file says: TRACE_* flags, level, ticks a second (0 unknown), whether the end is there (default true). */
void builder_head(struct builder *b, uint32_t flags, uint32_t level, uint64_t ticks_per_second, bool complete);
void builder_fact(struct builder *b, const char *key, const char *value);        /* later ones win */
const char *builder_fact_said(const struct builder *b, const char *key);         /* NULL: it was not */
void builder_salvaged(struct builder *b, const char *what);                      /* for trace_salvaged() */

/* A new thread: dense ids are given 0, 1, 2, ...  `like` is copied; its strings may be NULL for "". */
struct thread_id builder_thread(struct builder *b, const struct trace_thread *like);
/* To change it later (alive_at_end, waits_for, parent, ...): valid until the next builder_thread(); strings set here
 * must come from builder_string(). */
struct trace_thread *builder_thread_edit(struct builder *b, struct thread_id id);

const char *builder_string(struct builder *b, const char *text, size_t bytes);   /* interned, zero-terminated */
/* Interned copy: equal places are the same pointer.  NULL strings become "".  inlined_at must have come from here. */
const struct place *builder_place(struct builder *b, const struct place *like);

/* Appends to ev->thread, which must exist.  name and bytes are copied, place NULL means unknown. */
void builder_event(struct builder *b, const struct event *ev);

/* Named memory and loaded objects, for trace_symbol() and trace_module(). */
void builder_symbol(struct builder *b, const char *name, uint64_t address, uint64_t bytes);
void builder_module(struct builder *b, const struct trace_module *like);

#endif
