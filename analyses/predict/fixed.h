/* analyses/predict/fixed.h -- is a bug gone in another build?  A schedule predict wrote says in a comment which finding it shows; the new
 * program is predicted from anew, and what is confirmed there is held against it. */
#ifndef RADDLE_PREDICT_FIXED_H
#define RADDLE_PREDICT_FIXED_H

#include <stdio.h>

#include "analyses/predict/predict.h"
#include "base/err.h"

#define FIXED_TEXT 256
struct fixed { char kind[32], fingerprint[32], functions[FIXED_TEXT], object[FIXED_TEXT]; };

/* Writes into the schedule of a confirmed finding what it shows. */
void fixed_mark(const char *path, const struct finding *f);
int  fixed_read(struct fixed *out, const char *path, struct err *why);          /* 0, or -1 and why (code 3) */
/* Says whether it is still there, one near it is, or neither; 0 gone: a rule forbids all that is like it, or nothing is; 1 not; 4 it does not show, but it may be,
 * or not all was looked at, or a function it is in did nothing. */
int  fixed_tell(const struct fixed *f, const struct predict *p, FILE *to);

#endif
