/* verify/steps.h -- clauses over ways, and whether one follows from those before it.
 * A way is one or two edges ("x before y") between events and END; edges that are claimed hold throughout. */
#ifndef RADDLE_VERIFY_STEPS_H
#define RADDLE_VERIFY_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#define NOTHING UINT32_MAX
#define END (NOTHING - 1)               /* of the prefix that is claimed not to exist */

bool twin_before(uint32_t x, uint32_t y);      /* refutation.c's: event x comes before event y, in every order */

void steps_forget(void);
void steps_claim(uint32_t from, uint32_t to);
void steps_rule(void);                  /* the ways added next are its, of which one must hold */
void steps_way(uint32_t from, uint32_t by, uint32_t to);  /* by: NOTHING, one edge; no way where one is missing */
void steps_rule_end(void);
bool steps_learn(void);                  /* the line at hand, a clause; bad if it does not follow.  True: it is empty, all is refuted */

#endif
