/* analyses/predict/between.h -- did an access come between two of another thread, in the trace of a run? */
#ifndef RADDLE_PREDICT_BETWEEN_H
#define RADDLE_PREDICT_BETWEEN_H

#include "base/err.h"
#include "report/finding.h"

/* Accesses to the 8 bytes this address is in: the first read-write-read, write-write-read, read-write-write or write-read-write of two threads makes
 * the finding an atomicity violation at these places.  1 it did, 0 there is none, -1 and why: the trace cannot be read. */
int  tell_between(struct findings *l, struct finding *f, const char *trace, uint64_t address, struct err *why);

#endif
