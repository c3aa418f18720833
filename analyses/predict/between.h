/* analyses/predict/between.h -- did an access come between two of another thread, in the trace of a run? */
#ifndef RADDLE_PREDICT_BETWEEN_H
#define RADDLE_PREDICT_BETWEEN_H

#include "base/err.h"
#include "report/finding.h"

/* Accesses to the byte at this address: the first read-write-read, write-write-read, read-write-write or write-read-write of two threads makes
 * the finding an atomicity violation at these places.  1 it did, 0 there is none, -1 and why: the trace cannot be read. */
int  tell_between(struct findings *l, struct finding *f, const char *trace, uint64_t address, struct err *why);

/* Was something that one thread wrote to this byte overwritten by another one that had read before it and not since?  Who compares before it
 * writes has read again.  1 yes, 0 no, -1 and why. */
int  trace_loses(const char *trace, uint64_t address, struct err *why);

#endif
