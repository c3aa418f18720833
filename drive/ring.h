/* drive/ring.h -- the recorder's side of the ring (layout and rules: wire/ring.h). */
#ifndef RADDLE_DRIVE_RING_H
#define RADDLE_DRIVE_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "wire/fault.h"
#include "wire/ring.h"

struct ring {
	struct ring_head *head;
	int fd;
	bool in_file;                           /* not memory alone: it outlives us (drive/leftover.h) */
	uint32_t ordinary;                      /* segments in ordinary use; spares lie behind them */
	uint64_t queue_tail;                    /* free segments put into the queue so far */
	uint32_t segment_total;                 /* ordinary and spare: our own numbers, the program may scribble over those in the head */
};

/* `bytes` of ordinary segments.  0, or -1 and why. */
int  ring_make(struct ring *r, enum ring_mode mode, uint32_t level, uint64_t bytes, bool no_values, struct err *why);
/* The same in this file, which is as long as ring_bytes() and `behind` more; what is used at once has room on the disk.  fd stays the caller's if it fails. */
int  ring_make_in(struct ring *r, int fd, uint64_t behind, enum ring_mode mode, uint32_t level, uint64_t bytes, bool no_values, struct err *why);
/* One somebody left in a file: a private copy, so that nothing done here is kept.  0, or -1 and why: fd stays the caller's. */
int  ring_attach(struct ring *r, int fd, struct err *why);
uint64_t ring_bytes(const struct ring *r);                              /* of the whole mapping */
void ring_release(struct ring *r);
struct fault_order *ring_fault(const struct ring *r);           /* the one wanted of the program, and what it says of it */
void ring_reset(struct ring *r);                                       /* all segments are free again: whoever wrote them is gone */
int  ring_move_high(int fd);                                           /* a number the program will hardly miss */

struct process_entry *ring_process(const struct ring *r, uint32_t i);    /* i < RING_PROCESSES */
struct module_entry *ring_module(const struct ring *r, uint32_t i);      /* i < RING_MODULES */
struct thread_area *ring_area(const struct ring *r, uint32_t i);         /* i < RING_THREADS */
uint32_t ring_area_count(const struct ring *r);                         /* areas that were ever used lie below this */
uint32_t *ring_state(const struct ring *r, uint32_t segment);            /* segment < segment_total */
uint8_t *ring_segment(const struct ring *r, uint32_t segment);
void ring_free_segment(struct ring *r, uint32_t segment);                /* drained: may be taken again */
void ring_forget_segment(const struct ring *r, uint32_t segment);        /* gives its memory back, unless it is a file */
bool ring_has_waiters(const struct ring *r);                             /* a thread says it waits for a free one */
void ring_wake_writers(const struct ring *r);                            /* after some were freed */

#endif
