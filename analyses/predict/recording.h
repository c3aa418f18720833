/* analyses/predict/recording.h -- one run of the program as prediction sees it: its trace, what order/ makes of it, and which point of
 * its thread each event is.
 *
 * A step of a schedule counts what a thread did by its *points* (wire/steer.h); a trace has events, and those of a steered run say which
 * point they are of (struct event): what the library does inside shares the number of the point before it.
 * A trace that came without its run has no points: it can be thought about and not steered. */
#ifndef RADDLE_PREDICT_RECORDING_H
#define RADDLE_PREDICT_RECORDING_H

#include "analyses/predict/lines.h"
#include "analyses/predict/screen.h"
#include "base/vec.h"
#include "drive/steer.h"
#include "order/order.h"

struct moment {                                 /* an event of a recording */
	struct spot spot;                       /* in front of it */
	uint64_t index, nth;                    /* in its thread: which event, which point (0 not known) */
	uint64_t time;                          /* its number in the run */
	uint64_t address;
	uint8_t kind, size;
	bool writes, atomic;
	bool timed;                             /* a wait that ends when its time is up, if nothing else ends it */
	bool queues;                            /* a writer others stand back for: its first try comes before it waits, at a point of its own */
	const struct place *place;
	const char *waits_for, *holds;          /* in a circle of waits: names of its object, and of what the one before it waits for; NULL */
};

struct recorded_answer { uint64_t nth; uint32_t answer; };       /* a point was told something else than to go: its time is up, ... */

struct recording {
	struct trace *trace;
	struct order *order;
	struct screen screen;                   /* what is worth looking at again */
	struct lines lines;                     /* pipes and their like */
	uint64_t first, events;                 /* it is a window of the trace: so many events behind so many */
	bool cut;                               /* go_on said no while it was read, or */
	bool full;                              /* there is more than fits: it ends there */
	bool closes_nothing;                        /* what was recorded is not all there may be: threads had not come to their ends, reads of a pipe may return
	                                         * other bytes (lines.h), a handler or a time may end a wait.  No rule about these events makes anything infeasible */
	uint32_t most;                          /* synchronising events; 0: as many as fit into 4 GB with all that is kept of them */
	bool weak;                              /* order is one that can be asked about stores that wait */
	/* By thread: the point of each event, of each point (from 0) the number in the run of the last event it had, and those that were told
	 * something else than to go, rising; and those at which it did what others outside, or who waits for them, may notice.  NULL: not known. */
	struct thread_points { VEC(uint32_t) nth; VEC(uint64_t) times; VEC(struct recorded_answer) answers; VEC(uint32_t) told; } *points;
	uint64_t *of_node;                      /* points of its thread when a node has happened */
	uint64_t whole;                         /* events it says it has, 0 unknown */
	bool (*go_on)(void *with, uint64_t read, uint64_t whole);       /* asked while it is read; NULL: always */
	void *with;
};

/* Reads a trace for the first time, from its event `first` on.  `run`: the run it is of, or NULL.  *r is all zero but for go_on, with, most, weak and first.  0, or -1 and why.
 * Close it either way. */
bool recording_cuts_off(const struct steer_result *run);        /* its end left more than the thread that ended it alive */
int  recording_open(struct recording *r, const char *path, const struct steer_result *run, struct err *why);
void recording_close(struct recording *r);
bool recording_goes_on(const struct recording *r, uint64_t read);
uint64_t recording_nth(const struct recording *r, uint32_t thread, uint64_t index);     /* 0 not known */
/* Where a thread stands when it has gone through its point `nth`, which is not before event `index` of it. */
struct moment recording_behind(const struct recording *r, uint32_t thread, uint64_t index, uint64_t nth);
size_t recording_told(const struct recording *r, uint32_t thread, uint64_t nth);        /* how often it did such, up to this point */
const char *recording_path(const struct recording *r, uint32_t thread);         /* "T_0_1" */

#endif
