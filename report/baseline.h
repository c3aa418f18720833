/* report/baseline.h -- bugs that were known before: JSON lines an earlier run printed, of which the fingerprints count.
 * A fingerprint says which accesses of their functions a bug is of.  So one that has none of them is known too if a bug of the file that is *near*, of the same kind,
 * object, files, functions and ways to access, is not there any more: it is the same, before something was added to the function or taken away.  Each bug of the
 * file stands for one finding: one more like those is new.
 * Only what was a bug then is known: confirmed, or predicted where nothing was run. */
#ifndef RADDLE_REPORT_BASELINE_H
#define RADDLE_REPORT_BASELINE_H

#include <stddef.h>

#include "base/err.h"
#include "report/finding.h"

/* An all-zero one is empty.  near: by number of a fingerprint, a hash of what near ones have in common. */
struct baseline { struct names known; VEC(uint64_t) near; char command[32]; };       /* command: that of its summary, "" there is none */

int  baseline_read(struct baseline *b, const char *path, const char *command, struct err *why);         /* 0, or -1 and why; command: who is to have printed it */
int  baseline_parse(struct baseline *b, const char *name, const char *bytes, size_t count, struct err *why);
/* Sets `known` of those that are in it; how many of it are not there any more. */
uint64_t baseline_apply(const struct baseline *b, struct findings *l);
void baseline_release(struct baseline *b);

#endif
