/* report/suppress.h -- findings somebody does not want to hear of.
 *
 * A file has one rule a line; '#' begins a comment line.  Rules of ThreadSanitizer's files are understood:
 *     race:PATTERN        a function, file, module of a stack or the variable has PATTERN in it ('*' anything, '^' '$' its ends)
 *     race_top:PATTERN    the same of the access itself         deadlock:PATTERN     called_from_lib:PATTERN
 * and rules of raddle, whose patterns are whole names, with '*' for anything, and all of whose conditions must hold of one place:
 *     KIND:CONDITION; CONDITION...        KIND as in JSON, or 'any'
 *     function=PATTERN  file=PATTERN  variable=PATTERN  stack=PATTERN <- PATTERN <- ...    (innermost first, '...' any number) */
#ifndef RADDLE_REPORT_SUPPRESS_H
#define RADDLE_REPORT_SUPPRESS_H

#include <stddef.h>
#include <stdio.h>

#include "base/err.h"
#include "report/finding.h"

struct suppressions;
struct suppression {
	const char *file, *text;        /* where it stands, and all of it */
	uint32_t line;
	uint64_t times;                 /* findings it was used for */
	bool foreign;                   /* about something raddle does not report: never used */
};

struct suppressions *suppressions_new(void);
/* Adds the rules of one file.  0, or -1 and why, with file and line. */
int  suppressions_read(struct suppressions *s, const char *path, struct err *why);
int  suppressions_parse(struct suppressions *s, const char *name, const char *bytes, size_t count, struct err *why);
/* Sets `suppressed` of those that match; the first rule that does is counted. */
void suppressions_apply(struct suppressions *s, struct findings *l);
size_t suppressions_count(const struct suppressions *s);
const struct suppression *suppressions_at(const struct suppressions *s, size_t i);
/* Rules that hide these findings, with what they are about as comments; a name no rule can hold is left out of it. */
void suppressions_print(const struct findings *l, unsigned status_bits, FILE *to);
void suppressions_free(struct suppressions *s);         /* NULL is fine; findings keep copies of what they were told */

#endif
