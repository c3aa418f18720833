/* report/coverage.h -- what faults came to, for a page: programs, the faults tried in each with their outcomes, and how some of them went on.
 *
 * Texts belong to whoever made the coverage, or lie in `texts`; they may be any bytes.  An outcome is a number: its word stands in `outcomes`, and those
 * from COVERAGE_DEVIATES on are those in which something deviated. */
#ifndef RADDLE_REPORT_COVERAGE_H
#define RADDLE_REPORT_COVERAGE_H

#include <stdio.h>

#include "base/map.h"
#include "report/picture.h"

#define COVERAGE_OUTCOMES 8u            /* colours in the style sheet */
#define COVERAGE_DEVIATES 2u

struct coverage_fault {
	uint64_t id;
	uint32_t type, fault, site, file;       /* in texts */
	uint32_t line;
	uint32_t outcome;
	uint32_t reason;                        /* in texts */
	uint32_t kind, thread, where;           /* of the first deviation, in texts */
	int64_t after, latency, latency_us, exit, ms;   /* -1: none */
};

struct coverage_shown { uint64_t id; struct picture picture; };

struct coverage_program {
	const char *name, *again;               /* "swaptions"; "raddle campaign --repeat=%s swaptions.ini" up to the number, and */
	const char *again_end;                  /* what stands behind it */
	const char *about;                      /* a line: configuration, build, seed */
	const char *masked;                     /* what killed those that are masked, "" none are: "overwritten 3, dead 1" */
	bool cut_off;                           /* the campaign was not made to its end */
	uint64_t drawn, failed, early;          /* faults in the list; that could not be tried; in which something deviated before the fault */
	VEC(struct coverage_fault) faults;      /* with an outcome */
	VEC(struct coverage_shown) shown;
};

struct coverage {
	const char *const *outcomes;            /* COVERAGE_OUTCOMES words */
	const char *version;
	struct names texts;
	VEC(struct coverage_program) programs;
};

uint32_t coverage_text(struct coverage *c, const char *text);
void coverage_release(struct coverage *c);      /* what `again` and the like point to is not its own */
void coverage_html(const struct coverage *c, FILE *to);

#endif
