/* verify/refutation.h -- does this file prove, of the run in that plain twin, that no feasible order does what it says? */
#ifndef RADDLE_VERIFY_REFUTATION_H
#define RADDLE_VERIFY_REFUTATION_H

/* NULL it does, else why not; good until the next call.  Both texts are cut to pieces.  Not for several threads at once. */
const char *refutation_check(char *twin, char *text);

#endif
