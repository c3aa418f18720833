/* analyses/predict/beside.h -- races the detector saw in runs that were made for something else. */
#ifndef RADDLE_PREDICT_BESIDE_H
#define RADDLE_PREDICT_BESIDE_H

#include "analyses/predict/work.h"

#define BESIDE_RUNS 4u                  /* for each: a trace of the run, two orders, and to show it again */

void beside_note(struct work *w, const struct goal *made_for, const struct run_done *run);
uint32_t beside_waiting(const struct work *w);          /* candidates that were seen so, and that nothing confirmed yet */
/* Tries them.  0, or -1 and why. */
int  beside_confirm(struct work *w, struct err *why);

#endif
