/* model/truth.h -- what a computation comes to if one read returns this value: constants, comparisons, truths joined, phis on the way that was gone.
 *
 * Everything computed of the read is taken to be computed behind it: in SSA form a value that is used where the read has been done, and that is computed of it, was
 * computed since.  A phi may keep what an earlier round brought, so it is seen through only where control comes into its block. */
#ifndef RADDLE_MODEL_TRUTH_H
#define RADDLE_MODEL_TRUTH_H

#include "model/code.h"

#define TRUTH_DEPTH 24u                         /* instructions between a read and what is branched on */

/* read returns `value`; if it is in a function that was called: by call, which hands back `back` (NONE, NONE). */
struct supposed { const struct code *code; uint32_t read, call, back; uint64_t value; };

/* The successor of a block its last instruction then leads to, counted from its first one; NONE: it may be any.  Control came into block `into` from block `from`
 * (NONE: not known), and straight on from there.  Blocks as in code->blocks. */
uint32_t truth_way(const struct supposed *s, uint32_t block, uint32_t into, uint32_t from);

#endif
