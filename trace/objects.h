/* trace/objects.h -- what lies at an address while a trace is read: heap objects, mappings, stacks, thread-local blocks.
 * Hand over every event in the order of a merged cursor; globals are known from the start (trace_symbol). */
#ifndef RADDLE_TRACE_OBJECTS_H
#define RADDLE_TRACE_OBJECTS_H

#include <stddef.h>

#include "trace/reader.h"

enum object_kind { OBJECT_HEAP, OBJECT_MAP, OBJECT_STACK, OBJECT_TLS };

struct object {
	enum object_kind kind;
	struct thread_id thread;        /* who allocated it, or whose stack it is */
	uint64_t start, bytes;
	const struct place *place;      /* where it was allocated */
	uint32_t id;                    /* 0, 1, 2, ... in the order they were noted */
};

struct objects;
struct objects *objects_new(struct trace *t);                   /* never NULL */
void objects_note(struct objects *o, const struct event *ev);   /* events that are no OBJECT are ignored */
uint32_t objects_pass(struct objects *o);                       /* an id for one that does not lie anywhere yet */
const struct object *objects_at(const struct objects *o, uint64_t address);     /* NULL: none known; good until the next note */
/* The same, and how far around the address it is the answer, at least: *low <= address < *high. */
const struct object *objects_around(const struct objects *o, uint64_t address, uint64_t *low, uint64_t *high);
/* "balance", "table+8", "heap bank.c:41+16", "stack of T_0_1", "0x7f01..."; returns into. */
char *objects_name(const struct objects *o, uint64_t address, char *into, size_t room);
/* Where something is handed over that is no memory: "a pipe or event descriptor", "a signal", "a queue"; NULL: it is none of these. */
const char *handed_words(uint64_t object);
bool handed_by_pipe(uint64_t object);                           /* is it the first of these? */
void objects_clear(struct objects *o);                          /* there are none again */
void objects_free(struct objects *o);                           /* NULL is fine */

/* Where in the program itself: code of a system header that was inlined is where it was inlined. */
const struct place *place_own(const struct place *at);
/* The function that is in, with its scope where known: "shop::Queue<int>::push". */
const char *place_function(struct trace *t, const struct place *at);
/* "bank.c:41" of that place, without directories; "" if unknown. */
char *place_short(const struct place *at, char *into, size_t room);

#endif
