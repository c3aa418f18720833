/* analyses/check/packed.h -- what runs have shown of threads, as bytes, and back.  What can be found again from the rest is not among them: cells,
 * locks, tails. */
#ifndef RADDLE_ANALYSES_CHECK_PACKED_H
#define RADDLE_ANALYSES_CHECK_PACKED_H

#include "analyses/check/ends.h"
#include "base/buffer.h"

enum packed_part { PACKED_PATHS, PACKED_PLACES, PACKED_NODES, PACKED_BYTES, PACKED_INITIAL, PACKED_OBJECTS, PACKED_BLOCKS, PACKED_ENDS, PACKED_PARTS };

const char *packed_name(enum packed_part part);
void packed_make(const struct threads *t, struct ends *e, enum packed_part part, struct buffer *out);
/* Into what is empty.  False: the bytes are none of packed_make(), and what they were to fill is only good to be released. */
bool packed_take(const struct buffer parts[PACKED_PARTS], struct threads *t, struct ends *e);

#endif
