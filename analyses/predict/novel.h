/* analyses/predict/novel.h -- what a run did that none did before: then it is worth a recording of its own.
 *   (1) a thread went another way: other events, at other places, or another number of them; or something else was put out;
 *   (2) an event came at a place no run had come to;
 *   (3) the race detector saw two lines race of which no recording made a candidate.
 * Of the first kind there may be any number, and NOVEL_WAYS are recorded; the others end with the program's text, and come on top, up to NOVEL_MOST in all.
 * Ways are compared by their first NOVEL_EVENTS events; what comes after them is counted. */
#ifndef RADDLE_PREDICT_NOVEL_H
#define RADDLE_PREDICT_NOVEL_H

#include "analyses/predict/work.h"

#define NOVEL_WAYS 12u
#define NOVEL_MOST 60u

void novel_known(struct work *w, const struct run_done *run);           /* it is recorded: nothing of it is new from here on */
void novel_candidates(struct work *w, const struct aims *aims);         /* of a recording: its pairs of lines are known */
/* Is it worth a recording?  Then its order is kept for one. */
void work_remember(struct work *w, const struct run_done *run);

#endif
