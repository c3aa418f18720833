/* drive/records.h -- what steered runs write into their ring, as events without a file (trace/live.h): taken while a run goes on, right
 * after it, or from what it handed over.  One of these serves one run at a time and any number of runs of one program. */
#ifndef RADDLE_DRIVE_RECORDS_H
#define RADDLE_DRIVE_RECORDS_H

#include "drive/ring.h"
#include "trace/live.h"

struct records;
struct records *records_new(void);                      /* never NULL */
void records_free(struct records *r);                   /* NULL is fine */
/* Its events, live_next(); up to live_highest() while the run goes on. */
struct live *records_live(struct records *r);

/* A run is about to write into `ring`, whose head->keep has KEEP_RECORDS. */
void records_begin(struct records *r, struct ring *ring);
/* Takes what is full and gives the segments back.  How many: 0, nothing to do at the moment. */
unsigned records_step(struct records *r);
/* The run is over: the rest.  Segments are not given back: the ring is at its end or is put back by whoever makes the next run. */
void records_end(struct records *r);
/* One run in one piece, from what its segments held (wire/handed.h), instead of all that. */
void records_run(struct records *r, const uint8_t *segments, size_t bytes, uint32_t count);

#endif
