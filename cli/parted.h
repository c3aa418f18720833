/* cli/parted.h -- a run that went two ways is told. */
#ifndef RADDLE_CLI_PARTED_H
#define RADDLE_CLI_PARTED_H

#include <stdbool.h>

#include "drive/parted.h"

void parted_say(const struct parted *p, bool json);     /* nothing if there was none; json: one object, a line of its own */

#endif
