/* trace/shadow.h -- who touched which bytes last: per thread, place and way.
 * Memory grows with bytes touched x places x threads that touch them, not with accesses. */
#ifndef RADDLE_TRACE_SHADOW_H
#define RADDLE_TRACE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

/* object: number of what lies at the first of its bytes; locks: number of the set of them that was held, for who wants it; mask: which of the
 * eight bytes */
struct touch { uint32_t thread, at, place, version, object, locks; uint64_t index; uint8_t mask, kind; bool writes; };

struct cell {                                   /* 8 bytes of the program's memory */
	struct touch *touches;
	uint32_t count, room;
	uint32_t version;                       /* how often the thread that touches it changed */
	uint32_t last;                          /* that thread */
};

#define PAGE_CELLS 512u
struct page { struct cell cells[PAGE_CELLS]; };
struct shadow { struct map pages; struct page *last; uint64_t last_number; };

struct cell *shadow_cell(struct shadow *s, uint64_t address);           /* made if it is not there */
/* A new life of these bytes: what touched them before touched something else. */
void shadow_forget(struct shadow *s, uint64_t start, uint64_t bytes);
void shadow_release(struct shadow *s);

#endif
