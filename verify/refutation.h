/* verify/refutation.h -- does this file prove, of the run in that plain twin, that no feasible order does what it says? */
#ifndef RADDLE_VERIFY_REFUTATION_H
#define RADDLE_VERIFY_REFUTATION_H

#include <stdbool.h>

/* NULL it does, else why not; good until the next call.  Both texts are cut to pieces.  Not for several threads at once. */
const char *refutation_check(char *twin, char *text);
/* Of that call: false, one of them was no plain twin or no refutation at all. */
bool refutation_is_legible(void);

#endif
