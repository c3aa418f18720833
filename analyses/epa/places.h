/* analyses/epa/places.h -- where a fault can be made: every value, call and branch of a program of level full.
 *
 * A place is known by its function and a number: "pay#3" is a read, write, call or branch (the ordinal of wire/sites.h), "pay%12" the result of the
 * function's instruction 12, "pay%12.2" the second argument of the call that is.  An instruction recorded in several parts, as a copy, which reads and writes, has
 * "pay#3.1", "pay#3.2".  Where several files have functions of that name the place has its file in front: "bank.c:pay#3".
 * As people say it a place is also <file>:<line>, or <file>:<line>:<function>, as in templates, where a line is many functions. */
#ifndef RADDLE_EPA_PLACES_H
#define RADDLE_EPA_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "trace/reader.h"

enum place_kind { PLACE_READ, PLACE_WRITE, PLACE_RESULT, PLACE_ARGUMENT, PLACE_CALL, PLACE_BRANCH, PLACE_ATOMIC };
#define PLACE_BIT(kind) (1u << (kind))

struct fault_place {
	uint8_t kind;                           /* enum place_kind */
	bool skips;                             /* a call that can be left out */
	bool shared;                            /* functions of other files have the same name */
	uint16_t part;                          /* 1, 2, ... of those of its kind; */
	uint16_t label, labels;                 /* of all, of so many */
	uint32_t events, before;                /* of one execution of all its parts of this kind; of those before it */
	uint32_t size, elements;                /* of the value, in bytes; 0 a call */
	uint32_t ordinal;                       /* the number */
	uint32_t number;                        /* PLACE_CALL: of the instruction, if an argument of it is recorded; else UINT32_MAX */
	uint32_t nth;                           /* entry of the group, FAULT_CALL or FAULT_BRANCH */
	uint64_t descriptor;                    /* offset in the sites section */
	uint32_t line;
	const char *unit, *linkage, *file, *function, *name;    /* name: of variable or callee, "" none */
};

struct fault_places {
	VEC(struct fault_place) all;            /* as they lie in the tables */
	char build_id[41];                      /* of the program, in hexadecimal */
	struct sites *tables;
	void *bytes;
};

int  places_open(struct fault_places *p, const char *program, struct err *why);        /* 0, or -1 and why */
void places_close(struct fault_places *p);

const char *place_word(const struct fault_place *s);                    /* "read", ... */
char *place_say(const struct fault_place *s, char *into, size_t room);  /* its name; returns into */
bool place_is(const struct fault_place *s, const char *text);           /* its name, or <file>:<line> or <file>:<line>:<function> of it */
/* The argument of this number (1, 2, ...) of a call, the result of it; NULL: not recorded. */
const struct fault_place *place_argument(const struct fault_places *p, const struct fault_place *call, unsigned which);
const struct fault_place *place_result(const struct fault_places *p, const struct fault_place *call);

/* The place whose events tell how often this one was executed, and when: itself; of a steered trace, which has neither calls nor arguments nor branches, what
 * comes before it in the same stretch of code.  NULL: nothing does. */
const struct fault_place *place_seen(const struct fault_places *p, const struct fault_place *s, bool steered);

/* How often each place was executed in a run, by thread. */
struct place_counts { struct map times; };      /* key_of_place() -> events */
int  counts_take(struct place_counts *c, struct trace *t, struct err *why);            /* 0, or -1 and why */
uint64_t counts_of(const struct place_counts *c, uint32_t thread, const struct fault_place *s);
void counts_release(struct place_counts *c);

#endif
