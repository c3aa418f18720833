/* verify/refutation.h -- does this file prove, of the run in that text twin, that no feasible order does what it says? */
#ifndef RADDLE_VERIFY_REFUTATION_H
#define RADDLE_VERIFY_REFUTATION_H

#include <stddef.h>

/* NULL it does, else why not; good until the next call.  Not for several threads at once. */
const char *refutation_check(const char *twin, size_t twin_length, const char *text, size_t length);

#endif
