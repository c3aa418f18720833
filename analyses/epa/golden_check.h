/* analyses/epa/golden_check.h -- what a campaign calls output and detection, held against the run without a fault: what cannot work is refused beforehand.
 * A file nobody writes would make every wrong output look right; what the run without a fault has, too, or a function nobody has, would never be detection. */
#ifndef RADDLE_EPA_GOLDEN_CHECK_H
#define RADDLE_EPA_GOLDEN_CHECK_H

#include "analyses/epa/experiment.h"

int golden_check(const struct golden_run *g, const struct campaign_config *c, struct err *why);        /* 0, or -1 and why (code 2) */

#endif
