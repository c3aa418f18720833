/* report/baseline.h -- bugs that were known before: JSON lines an earlier run printed, of which the fingerprints count.
 * Only what was a bug then is known: confirmed, or predicted where nothing was run. */
#ifndef RADDLE_REPORT_BASELINE_H
#define RADDLE_REPORT_BASELINE_H

#include <stddef.h>

#include "base/err.h"
#include "report/finding.h"

struct baseline { struct names known; };                /* an all-zero one is empty */

int  baseline_read(struct baseline *b, const char *path, struct err *why);              /* 0, or -1 and why */
int  baseline_parse(struct baseline *b, const char *name, const char *bytes, size_t count, struct err *why);
/* Sets `known` of those that are in it; how many of it are not there any more. */
uint64_t baseline_apply(const struct baseline *b, struct findings *l);
void baseline_release(struct baseline *b);

#endif
