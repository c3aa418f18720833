/* analyses/epa/align.h -- where two lanes that parted do the same again. */
#ifndef RADDLE_EPA_ALIGN_H
#define RADDLE_EPA_ALIGN_H

#include "analyses/epa/canon.h"

/* From events *g and *o on, which differ, to the nearest pair that is the same place in the same activation of the same function, the same time
 * round its loops; failing that, the same place called the same way.  false: there is none; both are at their ends then. */
bool align_again(const struct canon_lane *golden, const struct canon_lane *other, size_t *g, size_t *o);

#endif
