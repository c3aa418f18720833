/* analyses/predict/dams.h -- where schedules of a recording cannot go on, whatever else is in them. */
#ifndef RADDLE_PREDICT_DAMS_H
#define RADDLE_PREDICT_DAMS_H

#include "analyses/predict/work.h"

/* A run left `script` at the step it came to; left: 1 + number in w->left.  Kept if it is known what the thread of that step waits for. */
void dams_note(struct work *w, const struct schedule *script, const struct run_done *run, uint64_t left);
/* Does it come to a step that at least `enough` runs stood in front of for what keeps it there too?  1 + number in w->left, *at is the step; 0: not known. */
uint64_t dams_ahead(const struct work *w, const struct schedule *script, uint32_t enough, size_t *at);
void dams_release(struct work *w);

#endif
