/* analyses/check/adjacent.h -- data races, as the memory model has them: in some state two threads are about to access the same memory, one of them to write
 * it, and not both atomically.  Nothing comes between the two then, whatever order they are in. */
#ifndef RADDLE_ANALYSES_CHECK_ADJACENT_H
#define RADDLE_ANALYSES_CHECK_ADJACENT_H

#include "analyses/check/space.h"

struct adjacent { uint32_t node[2]; bool waits[2]; };   /* the accesses, the first one a write; a store that was made and waits to reach memory */

/* The next pair of a settled state whose two places are not among those known, to which they are added; false: there is none. */
bool adjacent_next(const struct space *s, const struct state *at, struct map *known, struct adjacent *out);

#endif
