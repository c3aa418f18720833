/* analyses/determinism/sources.h -- functions that keep something between calls, or answer otherwise each time, by their names. */
#ifndef RADDLE_DETERMINISM_SOURCES_H
#define RADDLE_DETERMINISM_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

enum kept { KEPT_NOTHING, KEPT_GENERATOR, KEPT_ENVIRONMENT, KEPT_END, KEPT_TOKEN, KEPT_LOCALE, KEPT_USERS, KEPT_HOSTS, KEPT_NUMERALS,
	KEPT_TABLE, KEPT_NAME, KEPT_FILES, KEPT_PLACES,
	KEPT_SYSTEM, KEPT_UNSEEN };
const char *kept_name(enum kept what);
#define KEPT_PROCESS "the process"       /* of KEPT_END: output needs it, exit ends it */

struct source {
	enum kept kept;
	bool writes;                    /* it changes `kept`; else it reads that */
	bool answers;                   /* otherwise each time */
	bool handed;                    /* it touches what it is handed pointers to, and nothing else that tells */
};
const struct source *source_named(const char *name, size_t length);     /* NULL: nothing is known of it */

#endif
