/* trace/sites.h -- what a record means: the site tables of the objects of one trace, decoded when first asked for.
 *
 * A section is untrusted bytes: every offset, count and index in it is checked before it is used, and a descriptor that
 * says anything impossible is no descriptor (sites_find gives NULL).  What is found is kept: one decode per address. */
#ifndef RADDLE_TRACE_SITES_H
#define RADDLE_TRACE_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "wire/sites.h"

struct sites;                                   /* all sections of one trace */
struct unit;                                    /* one compiled module in a section */

struct access {                                 /* one memory access of a group */
	uint8_t size;                           /* 1..16, of one element */
	bool is_write, is_volatile;
	bool is_result;                         /* no access: result of an instruction, is_write: an argument; address 0 */
	uint8_t address_mode, value_mode;       /* enum address_mode, value_mode */
	uint16_t elements;                      /* 1, or more: a vector */
	uint16_t address_at;                    /* A_SLOT: offset in the payload.  A_NEAR, A_VALUE: the earlier access */
	uint16_t value_at;                      /* V_SLOT: offset in the payload.  V_SAME: the earlier access */
	int64_t distance;                       /* A_NEAR, A_VALUE; A_GLOBAL: the address itself */
	uint64_t bits;                          /* V_CONST */
	uint32_t ordinal, place, name;          /* name: string + 1, or 0 */
};

struct site_mark { uint32_t ordinal, place, name; };   /* a site that is no access */

struct site_way { uint64_t value; uint32_t way; };     /* of a switch; values not told take way 0 */

struct site {
	uint64_t address;                       /* of the descriptor */
	uint32_t length;                        /* of the descriptor */
	const struct unit *unit;
	uint32_t flags;                         /* SITE_* */
	uint32_t function;
	uint16_t payload;                       /* bytes behind the header word */
	uint16_t access_count;
	uint32_t event_count;                   /* events one record expands to; 0 for ATOMIC and LIBRARY */
	uint16_t landed_at;
	uint16_t branch_at;
	uint8_t branch_bytes;
	uint32_t way_count;
	struct site_way *ways;                  /* SITE_WAYS; rising by value */
	uint8_t op, size, order, failure_order, weak;           /* SITE_ATOMIC */
	struct site_mark call, branch, other;   /* other: ATOMIC or LIBRARY */
	bool hands_over;                        /* the call: an argument may point to memory others see */
	uint16_t called;                        /* the access that read the function called, + 1; 0 unknown or named */
	struct access *accesses;
	uint32_t number;                        /* 0, 1, 2, ... in the order of first use */
	void *view;                             /* the reader's: events to fill in */
	void *plan;                             /* the coder's: how to foretell one record */
};

struct sites *sites_new(void);
void sites_free(struct sites *s);               /* NULL is fine */
/* A section loaded at `address`.  The bytes must outlive `s` unless `copy`.  0; or -1 and why: no unit is added.  A table of
 * another version has a hint, a damaged one has none.
 * Where it overlaps one added before, the newer wins and what was decoded there is forgotten. */
int  sites_add(struct sites *s, uint64_t address, const void *bytes, size_t count, bool copy, struct err *why);
bool sites_overlap(const struct sites *s, uint64_t address, size_t count);
bool sites_has(const struct sites *s, uint64_t address, const void *bytes, size_t count);   /* exactly this section */
void sites_copy(struct sites *to, const struct sites *from);                    /* adds its sections, not copying bytes */
/* The descriptor at this address, or NULL: not one.  Good until the next sites_add(). */
struct site *sites_find(struct sites *s, uint64_t address);
uint32_t site_way(const struct site *d, uint64_t value);                        /* SITE_WAYS: which way this value takes */
void sites_each(struct sites *s, void (*told)(void *with, const struct site *site), void *with);   /* all there are, by address */
struct site *sites_at(const struct sites *s, uint32_t number);                  /* by its `number` */
/* Memory that lives as long as the sites, zeroed. */
void *sites_take(struct sites *s, size_t bytes);

struct unit_place { const char *file, *function; uint32_t line, column, inlined_at; };  /* inlined_at: place + 1 or 0 */
struct unit_function { const char *linkage, *display, *file; uint32_t line; };

void sites_index(struct sites *s, const struct unit *u);                /* before unit_place*() and unit_function() */
const char *unit_name(const struct unit *u);                            /* the compiled file, "" unknown */
uint64_t unit_address(const struct unit *u);
uint32_t unit_place_count(const struct unit *u);
const char *unit_string(const struct unit *u, uint32_t name);           /* name = string + 1; NULL for 0 or out of range */
bool unit_place(const struct unit *u, uint32_t index, struct unit_place *out);
bool unit_function(const struct unit *u, uint32_t index, struct unit_function *out);
void sites_functions(struct sites *s, void (*told)(void *with, const char *linkage), void *with);    /* of all units */

/* The stable identity of a site: FNV-1a, 64 bits, over unit name, 0, linkage name, 0, four bytes ordinal, low first. */
uint64_t site_identity(const char *unit, const char *linkage, uint32_t ordinal);

/* Bytes of the record that starts here with `room` bytes left: 0 if it does not fit or is none.
 * *site is its descriptor, NULL for a control record. */
size_t record_bytes(struct sites *s, const uint8_t *at, size_t room, struct site **site);

#endif
