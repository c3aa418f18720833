/* drive/runs.h -- many steered runs of one program: started once, run often.
 *
 * runs_open() makes ready what all runs share; runs_give() hands in an order, runs_take() waits for one that is done.  Orders may be done
 * in another order than given; `tag` says which is which.
 *   (1) a run is the one steer_run() would make of the same order: same log, same outcome, same output;
 *   (2) runs do not see each other: each has its own memory, file offsets, working directory and output;
 *   (3) a run that hangs, forks, eats memory or kills itself ends that run and nothing else. */
#ifndef RADDLE_DRIVE_RUNS_H
#define RADDLE_DRIVE_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "drive/steer.h"

struct runs_setup {
	struct steer_options like;              /* program and settings of all runs; what a struct run_order says is not looked at, but
	                                         * the runs have the environment of the schedule here, if there is one */
	unsigned jobs;                          /* runs at a time; 0: one a core */
	uint64_t most_memory;                   /* bytes a run may have before it is ended; 0: half of what is free, shared by all jobs */
	bool records;                           /* the events of each run: run_done.records; not with races or checkpoints */
	bool races;                             /* look for data races: result.races, whose places live until runs_close() */
};

struct run_order {
	const struct schedule *schedule;        /* lives until the run is taken; or NULL */
	uint32_t policy, depth;                 /* enum steer_policy; with a schedule: behind its last step */
	uint64_t seed, length;
	uint64_t ways, events;                  /* as in struct steer_options */
	const char *save_trace;                 /* or NULL */
	uint64_t max_steps;                     /* as in struct steer_options; 0: as all have it */
	bool loose;                             /* steps of this schedule that cannot be taken are passed over */
	bool prompt;                            /* as in struct steer_options; not with checkpoints */
	struct steer_late late;
	uint64_t lingers;                       /* as in struct steer_options; not with checkpoints */
	/* After so many steps of the schedule a checkpoint is kept: this run, and those given later whose schedules begin with the same
	 * steps, go on from a copy of it.  Worth its while when the way there takes longer than to copy the program.  Not with a trace,
	 * races, ways, events or runs.  0: none is made, but one that is there and fits is used. */
	uint64_t keep;
	/* So many runs, with this seed and the next ones, in one process whose memory is put back in between; the result is that of the
	 * last one, with what is known of the others in `before`.  It ends early, with the first run that does not exit with `go_on_with`, or
	 * that does what cannot be undone (restart_refused).  Races are those of result.races_before; save_trace is for the last one.  0 or 1:
	 * one run. */
	uint64_t runs;
	steer_trace_of *trace_of;               /* of which of the others a trace is wanted, asked when each is done; or NULL */
	void *trace_who;
	int go_on_with;
	uint32_t turn_count;                    /* policies and depths they take in turn, as in struct steer_head; 0: all have the same */
	struct steer_turn turns[STEER_TURNS];
	uint64_t tag;
};

struct run_done {
	uint64_t tag;
	struct steer_result result;
	VEC(char) output;                       /* standard output and standard error, the first RUNS_OUTPUT bytes */
	uint64_t output_bytes;                  /* all it wrote */
	double seconds;                         /* of processor time; behind the checkpoint, if it went on from one */
	double copying;                         /* seconds it took to copy the program */
	bool from_kept;                         /* it went on from a checkpoint */
	/* It did, and was made again in full, by a program started for it, and went another way: the program takes something from where
	 * raddle does not see it.  The result is that of the full run. */
	bool differs;
	struct records *records;                /* if they were asked for; until the next runs_take() */
	uint64_t leftovers;                     /* processes it left behind, which were ended */
};
#define RUNS_OUTPUT (1u << 20)

struct runs;

uint64_t runs_memory(unsigned jobs);            /* bytes each of so many runs at a time may have, if nobody says otherwise; 0: one a core */
/* NULL and why as steer_run() has it. */
struct runs *runs_open(const struct runs_setup *setup, struct err *why);
void runs_close(struct runs *r);
unsigned runs_room(const struct runs *r);       /* orders that can be given now without waiting for one to be done */
void runs_give(struct runs *r, const struct run_order *order);
/* 1 and *out to be released; 0: nothing was given; -1 and why: this run could not be made. */
int  runs_take(struct runs *r, struct run_done *out, struct err *why);
void run_done_output(struct run_done *d, int from);      /* what a run wrote to this file; d has none yet */
void run_done_release(struct run_done *d);

/* Checkpoints so far.  One in RUNS_CHECK_ONE_IN of the runs that go on from one, and the first, is made again in full and compared; if
 * one differs no more are used. */
#define RUNS_CHECK_ONE_IN 100u
struct runs_kept {
	uint64_t made, used, checked;           /* checkpoints; runs that went on from one; of these made again */
	uint32_t refused;                       /* why none can be made, as in struct steer_result; 0: they can */
	bool differs;
};
struct runs_kept runs_kept(const struct runs *r);

#endif
