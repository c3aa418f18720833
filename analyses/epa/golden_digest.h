/* analyses/epa/golden_digest.h -- which run the faults of a campaign are held against, by SHA-256: the canonical form of the run without a fault, its exit code
 * and its output.  Whoever has another, because a file it reads, its environment or its machine is another, makes another campaign. */
#ifndef RADDLE_EPA_GOLDEN_DIGEST_H
#define RADDLE_EPA_GOLDEN_DIGEST_H

#include "analyses/epa/experiment.h"

int golden_digest(const struct golden_run *g, const struct campaign_config *c, char into[], struct err *why);  /* DIGEST_ROOM bytes; 0, or -1 and why */

#endif
