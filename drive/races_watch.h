/* drive/races_watch.h -- races of steered runs, from the ring they write their records into: while a run goes on, right after it, or
 * from its trace.  One watch serves one run at a time and any number of runs of one program. */
#ifndef RADDLE_DRIVE_RACES_WATCH_H
#define RADDLE_DRIVE_RACES_WATCH_H

#include "drive/races.h"
#include "drive/ring.h"

struct race_watch;
struct race_watch *race_watch_new(const struct race_limits *limits);    /* NULL: defaults; never NULL */
void race_watch_free(struct race_watch *w);             /* NULL is fine; what places of its lists point to is gone */

/* A run is about to write into `ring`, whose head->keep is KEEP_RECORDS | KEEP_FRAMES. */
void race_watch_begin(struct race_watch *w, struct ring *ring);
/* Takes what is full and gives the segments back.  How many: 0, nothing to do at the moment. */
unsigned race_watch_step(struct race_watch *w);
/* The run is over: the rest, and what was found.  Segments are not given back: the ring is at its end or is put
 * back by whoever makes the next run.  Of a run that left a trace, whose ring others drained, that is read instead.  0, or -1
 * and why. */
int  race_watch_end(struct race_watch *w, const char *trace, struct race_list *out, struct err *why);

/* Runs that others of the same process followed (wire/handed.h): behind race_watch_begin() each of them in one piece, from what its
 * segments held; then what was found in all of them.  Then the watch stands at the beginning of the last one. */
void race_watch_run(struct race_watch *w, const uint8_t *segments, size_t bytes, uint32_t count);
void race_watch_row(struct race_watch *w, struct race_row *out);

#endif
