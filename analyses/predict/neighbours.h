/* analyses/predict/neighbours.h -- do the two accesses of a race stand next to each other in the trace of a run?
 *
 * The race detector says that nothing orders two accesses; that is true of some that no order brings together, as where one comes behind a plain flag the
 * other's thread sets later.  A schedule that was followed says only how far each thread went, not to which access: what a thread read may have led it elsewhere. */
#ifndef RADDLE_PREDICT_NEIGHBOURS_H
#define RADDLE_PREDICT_NEIGHBOURS_H

#include "analyses/predict/shown.h"

/* Two threads access the same bytes of the object, at the two lines, one writes and not both are atomic; the first has done nothing since.
 * 1 there are such, 0 there are none, -1 and why: the trace cannot be read. */
int  neighbours_in(const char *trace, const struct race_sign *sign, struct err *why);
/* The same of the run with this log, which is made once more for it. */
int  neighbours_shown(struct work *w, const struct schedule *log, const struct race_sign *sign, struct err *why);

#endif
