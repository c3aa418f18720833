/* report/story.h -- the order that shows a finding, told from the trace of a run that showed it: what each thread did, which locks it held.
 *
 * Of all events those are told that the reader needs: threads made and joined, locks, waits and signals, accesses to the finding's
 * objects and from its places, and the last thing of each turn.  A race ends where its two accesses stand next to each other, another
 * finding where the run does; of what came before that the last STORY_STEPS are told, the others counted. */
#ifndef RADDLE_REPORT_STORY_H
#define RADDLE_REPORT_STORY_H

#include "report/finding.h"
#include "trace/reader.h"

#define STORY_STEPS 120u

/* Replaces the steps of `f`, whose places are known, and marks those that are its places.  `t` has a total order.  0, or -1 and why. */
int story_tell(struct findings *l, struct finding *f, struct trace *t, struct err *why);

#endif
