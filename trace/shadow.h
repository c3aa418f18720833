/* trace/shadow.h -- who touched which bytes last: per thread, place and way.
 * Memory grows with bytes touched x places x threads that touch them, not with accesses. */
#ifndef RADDLE_TRACE_SHADOW_H
#define RADDLE_TRACE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"

/* object: number of what lies at the first of its bytes; mask: which of the eight bytes; named: of which `object` was asked */
struct brief { uint32_t thread, at, place, version, object; uint8_t mask, named, kind; bool writes; uint64_t index; };
/* The same for who wants more.  locks: number of the set of them that was held; first: at and index of the first of those it is the last of; waits:
 * a store that may, under a weak memory model */
struct touch { uint32_t thread, at, place, version, object, locks, first_at; uint64_t index, first; uint8_t mask, named, kind; bool writes, waits; };

struct cell {                                   /* 8 bytes of the program's memory */
	union { struct touch *touches; struct brief *briefs; };         /* of a shadow only one of them is used */
	uint32_t count;
	uint32_t version;                       /* how often the thread that touches it changed */
	uint32_t last;                          /* that thread */
	uint16_t recent;                        /* the one found last, for who wants it */
	uint8_t room;                           /* for 1 << (room - 1) of them; 0: none */
};

#define PAGE_CELLS 512u
struct page { struct cell cells[PAGE_CELLS]; };
#define TOUCH_ROOMS 32u
#define SHADOW_RECENT 64u
struct shadow {
	struct map pages;
	struct { uint64_t number; struct page *page; } recent[SHADOW_RECENT];  /* pages met lately, by the end of their numbers */
	struct arena memory;                    /* of pages and touches */
	void *given_back[TOUCH_ROOMS];          /* arrays of 1 << i that were outgrown, each begins with the next */
};

struct cell *shadow_cell(struct shadow *s, uint64_t address);           /* made if it is not there */
struct touch *shadow_touch_add(struct shadow *s, struct cell *c);       /* one more of the cell's, its mask 0 */
struct brief *shadow_brief_add(struct shadow *s, struct cell *c);
/* A new life of these bytes: what touched them before touched something else. */
#define WHOLE_WORDS(bytes) (((bytes) + 7) & ~7ull)      /* no two blocks have bytes of one word */
void shadow_forget(struct shadow *s, uint64_t start, uint64_t bytes);
void shadow_release(struct shadow *s);

#endif
