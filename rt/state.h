/* rt/state.h -- what a thread has of its own where it stands at a point: registers and stack, as one number.
 * Two visits of one thread with the same number, between which it wrote nowhere else, are the same place in a loop: from there on it does the
 * same, told the same.  What it changes unseen is counted, and the count is part of the number.  Asked for by steer_head.states; the doors of entry.S then leave behind where they put the caller's registers. */
#ifndef RADDLE_RT_STATE_H
#define RADDLE_RT_STATE_H

#include "rt/steer.h"

extern bool states_on __attribute__((visibility("hidden")));

/* registers: five words, rbx and r12 to r15; from: the lowest word that is the caller's, other registers kept for it included. */
struct state_frame { uint64_t registers, from; };
extern __thread struct state_frame state_frame __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The number of the strand's state at the door it came through, which is forgotten; 0: not known. */
uint64_t state_taken(const struct strand *s);

#endif
