/* analyses/determinism/sources.h -- functions that keep something between calls, or answer otherwise each time, by their names. */
#ifndef RADDLE_DETERMINISM_SOURCES_H
#define RADDLE_DETERMINISM_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is kept where no access is seen.  From KEPT_ASIDE on: what two of them make of each other is not known, only that it may matter. */
enum kept { KEPT_NOTHING, KEPT_GENERATOR, KEPT_GENERATOR48, KEPT_ENVIRONMENT, KEPT_END, KEPT_TOKEN, KEPT_USERS, KEPT_GROUPS, KEPT_HOSTS, KEPT_SERVICES,
	KEPT_PROTOCOLS, KEPT_NETS, KEPT_NUMERALS, KEPT_LETTERS, KEPT_TABLE, KEPT_TERMINAL, KEPT_PSEUDO, KEPT_SIGN,
	KEPT_ASIDE, KEPT_ZONE = KEPT_ASIDE, KEPT_FILES, KEPT_COPIES, KEPT_PLACES, KEPT_SYSTEM, KEPT_UNSEEN, KEPT_COUNT };
const char *kept_name(enum kept what);
#define KEPT_PROCESS "the process"       /* of KEPT_END: output needs it, exit ends it */

/* What a call says of the whole run; known only when all of it was looked at. */
enum source_fact { FACT_ENVIRONMENT = 1,        /* the environment is changed */
	FACT_COPIES = 2,                        /* descriptors are made copies of one another */
	FACT_FILES = 4,                         /* there is output to other files than the standard ones */
	FACT_BY_HAND = 8 };                     /* the program has hands on memory the environment is made of */

struct source {
	uint32_t reads, writes;         /* of what is kept, 1u << enum kept */
	bool answers;                   /* otherwise each time */
	bool handed;                    /* it touches what it is handed pointers to, and nothing else that tells */
	bool blind;                     /* nor does the runtime see what that leads to, though it stands in front of it */
	bool everywhere;                /* whatever others do meanwhile may depend on it, calls nobody sees too */
	bool stays;                     /* it reads from a file where it is told to, and leaves the place where one is alone */
	uint8_t facts;                  /* enum source_fact: it makes them */
	uint8_t only;                   /* it touches what is kept only where this holds */
};
const struct source *source_named(const char *name, size_t length);     /* NULL: nothing is known of it */

/* Variables of the library that its functions read and write as they do `kept`.  name: NULL behind the last. */
struct source_variable { const char *name; enum kept kept; };
extern const struct source_variable source_variables[];

#endif
