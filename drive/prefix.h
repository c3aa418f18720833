/* drive/prefix.h -- where orders that begin alike should keep a checkpoint (run_order.keep). */
#ifndef RADDLE_DRIVE_PREFIX_H
#define RADDLE_DRIVE_PREFIX_H

#include <stdint.h>

#include "drive/schedule.h"

/* Steps of `s` to keep a checkpoint after, when others will begin like `other` too: as many as both have in common, back to where the last
 * `unit` events of the run began, so that few are made.  0: it is not worth it. */
uint64_t prefix_keep(const struct schedule *s, const struct schedule *other, uint64_t unit);

#endif
