/* verify/steps.h -- clauses over ways, and whether one follows from those before it.
 * A way is one or two edges ("x before y") between nodes; edges that are claimed, or were shown, hold throughout. */
#ifndef RADDLE_VERIFY_STEPS_H
#define RADDLE_VERIFY_STEPS_H

#include "verify/must.h"

void steps_forget(void);
bool steps_begun(void);                 /* something holds already */
/* x before y; or, `next`: not x itself but all its thread does before it. */
void steps_hold(uint32_t x, uint32_t y, bool next);
void steps_way(uint32_t from, uint32_t by, uint32_t to);  /* nodes; by: NOTHING, one edge */
void steps_rule(void);                  /* of the ways added since the last one must hold */
bool steps_learn(struct line line);     /* a clause; bad if it does not follow.  True: it is empty, all is refuted */

#endif
