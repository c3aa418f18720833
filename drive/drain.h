/* drive/drain.h -- from the ring to trace files: one file per recorded process. */
#ifndef RADDLE_DRIVE_DRAIN_H
#define RADDLE_DRIVE_DRAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "drive/ring.h"

struct drain;
struct sites;

/* Who wants the records of the first process as they come, instead of a file.  Nothing of it is to be believed: the program can write there. */
struct drain_sink {
	/* Whole records of one segment; those of a lane come in their order.  A segment its writer died in has no end (head->end_time is 0). */
	void (*segment)(void *with, const struct segment_head *head, const uint8_t *records, size_t bytes);
	void (*thread)(void *with, const struct thread_area *area);     /* as it is at the end of the process, once for each thread */
	void (*module)(void *with, const struct module_entry *module);  /* of the process, at its end */
	void *with;
	struct sites *sites;             /* of the program, where it lies in memory: where a segment ends its writer died in */
	bool broken;                     /* set: segments were lost, or another process came */
};

struct drain_setup {
	struct ring *ring;
	const char *output;              /* of the first process; others get .1 .2 ... behind it */
	char *const *argv;
	uint32_t level;
	uint64_t max_size;               /* bytes of all files together before it turns into a flight recorder */
	uint32_t trace_flags;            /* TRACE_* */
	uint32_t order;                  /* enum trace_order; total: what differs from run to run is left out */
	uint32_t model, heap;            /* enum steer_model, steer_heap */
	bool moves;                      /* addresses are random: the files say those of moves.h */
	struct drain_sink *sink;         /* or NULL: there are files */
	struct leftover *leftover;       /* what outlives us if we are killed (drive/leftover.h), or NULL */
};

struct drain_totals {
	uint64_t events, bytes, lost;
	double happened;                 /* events, with those a flight recorder has written over: about */
	uint32_t files, threads;
	uint32_t no_room;                /* threads, processes and objects the ring had no entry for: not recorded, or not named */
	bool turned;                     /* --max-size was reached */
	bool stopped;                    /* the disk refused */
	char unseen[512];                /* loaded objects without site tables, comma-separated; "" for none */
};

struct drain *drain_new(const struct drain_setup *setup);
/* Writes what is full now.  Segments drained; when the files cannot grow any more recording is stopped with a message. */
unsigned drain_step(struct drain *d);
void drain_was_ended(struct drain *d, uint32_t outcome);       /* enum steer_outcome: by raddle itself, of a steered run */
/* The process is dead (status as from waitpid): everything it left is written and its file closed. */
void drain_process_ended(struct drain *d, pid_t pid, int status);
/* The same for processes that are gone without our hearing of it: their parent collected them.  `all`: nobody is left. */
void drain_collect_gone(struct drain *d, bool all);
/* All processes still open are closed as "recording was ended"; frees d. */
void drain_finish(struct drain *d, struct drain_totals *totals);
uint64_t drain_segments(const struct drain *d);  /* drained so far */
bool drain_any_open(const struct drain *d);      /* a recorded process is still running */
bool drain_saw_any(const struct drain *d);       /* at least one process came to be recorded */
/* Who waits for whom, to standard error. */
void drain_print_waits(struct drain *d);

#endif
