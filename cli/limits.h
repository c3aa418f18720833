/* cli/limits.h -- limits of this process (ulimit) that are too low for raddle, said when something has failed. */
#ifndef RADDLE_CLI_LIMITS_H
#define RADDLE_CLI_LIMITS_H

#include "base/err.h"

void limits_hint(struct err *why);      /* a hint that names limit and value needed, if one may be why and there is no other hint */

#endif
