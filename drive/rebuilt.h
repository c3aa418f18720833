/* drive/rebuilt.h -- does a schedule of one build still bring its failure in another build of the program? */
#ifndef RADDLE_DRIVE_REBUILT_H
#define RADDLE_DRIVE_REBUILT_H

#include "drive/steer.h"

enum rebuilt_verdict {
	REBUILT_FAILS,          /* the same order is possible and ends the same way */
	REBUILT_GONE,           /* the places are still reached, but the order is blocked, or no longer fails */
	REBUILT_UNKNOWN         /* the paths part */
};

struct rebuilt {
	enum rebuilt_verdict verdict;
	uint64_t step;                  /* where it parts or is blocked, counted from 1; 0: nowhere */
	unsigned runs;
	char why[512];                  /* in words */
	struct steer_result last;       /* the run that showed it */
};

/* `o->schedule` is of the other build.  0 and *out, whose `last` is to be released; or -1 and why, as steer_run(). */
int rebuilt_try(const struct steer_options *o, struct rebuilt *out, struct err *why);

#endif
