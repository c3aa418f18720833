/* trace/live.h -- the events of a steered run straight from its raw records, while it runs or right after it, without a file.
 *
 * Records are handed over lane by lane (a thread, or a signal handler on it), each lane's in their order; events come out in the
 * order of the run.  Objects stay from run to run, so what was worked out about places serves the next one.
 *   (1) whatever the program scribbled into its records costs memory for their bytes, never a bad index;
 *   (2) pieces of one payload behind the first are left out, but for what a library function wrote: `bytes` of an event may be short,
 *       `arg` says how many there were;
 *   (3) groups, which a steered run writes for nothing but bookkeeping, are left out; `index` is not kept. */
#ifndef RADDLE_TRACE_LIVE_H
#define RADDLE_TRACE_LIVE_H

#include <stddef.h>

#include "trace/reader.h"
#include "wire/ring.h"

struct live;
struct live *live_new(void);                                    /* never NULL */
void live_free(struct live *l);                                 /* NULL is fine */
/* For trace_symbol(), trace_function(), trace_shown(), trace_thread(); its threads are those of the run. */
struct trace *live_trace(struct live *l);

/* The payload of a MODULE block (trace/format.h); copied.  0; or -1 and why: it is not used. */
int  live_module(struct live *l, const void *bytes, size_t count, struct err *why);

void live_begin(struct live *l);                                /* another run: threads and records are gone, objects stay */
/* More of the lane the head says; copied.  How many of the bytes were sound records with a number below `below`. */
size_t live_records(struct live *l, const struct segment_head *head, const uint8_t *bytes, size_t count, uint64_t below);
uint64_t live_highest(const struct live *l);                    /* number handed over */
/* The next event, if its number is below that.  `bytes` is good until the next call of live_records(). */
bool live_next(struct live *l, uint64_t below, struct event *ev);

#endif
