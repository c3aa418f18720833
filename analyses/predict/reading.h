/* analyses/predict/reading.h -- the events of a recording once more, in their order; of a window those of the window, and before them the locks that are
 * held where it begins. */
#ifndef RADDLE_PREDICT_READING_H
#define RADDLE_PREDICT_READING_H

#include "analyses/predict/recording.h"
#include "trace/objects.h"

struct reading {
	struct recording *r;
	struct merged *merged;
	VEC(struct event) held;                 /* locks taken before the window and not given back: the events that took them */
	size_t told;                            /* of these */
	uint64_t read, most;                    /* events of the window */
	bool stopped;                           /* go_on said no */
	struct lines_pass lines;
};

/* Up to `most` events from r->first on; what lies where is noted in `objects` up to there.  0, or -1 and why.  Close it either way. */
int  reading_open(struct reading *g, struct recording *r, uint64_t most, struct objects *objects, struct err *why);
/* 1 and *ev, which lives until the next; 0: the end, or go_on said no; -1 and why. */
int  reading_next(struct reading *g, const struct event **ev, struct err *why);
void reading_close(struct reading *g);

#endif
