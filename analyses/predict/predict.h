/* analyses/predict/predict.h -- the bugs other schedules of one recorded run would show, each with a schedule that shows it.
 *
 * A recording gives aims (aims.h); order/ says which are possible and how; each becomes a schedule (script.h), which the real program is
 * made to follow with the race detector on (lab.h).  What it then does is the judge:
 *   (1) a race is confirmed when its run followed the schedule, which has the two accesses next to each other, and
 *       the detector, which knows nothing of the prediction, says they race;
 *   (2) a run that gets stuck, crashes, errs in memory or exits with a failure is a bug by itself;
 *   (3) an access between two others counts when the outcome is one no order without it has;
 *   (4) under a weak memory model: a store that is late makes a run fail as none did under SC, or two accesses race of which one was made
 *       while the other waited to reach memory, or right behind that;
 *   (5) what is confirmed has been written as a schedule and replayed.
 * A run that leaves its schedule did something new: it is recorded and thought about in turn. */
#ifndef RADDLE_PREDICT_PREDICT_H
#define RADDLE_PREDICT_PREDICT_H

#include "base/map.h"
#include "drive/failure.h"
#include "drive/steer.h"
#include "model/model.h"
#include "report/finding.h"

struct predict;
struct predict_setup {
	struct steer_options like;      /* the program; argv NULL: there is none to be run */
	const char *trace;              /* predict from this, or NULL: from a run that is made */
	const char *folder;             /* schedules are written here: ends with a slash, or "" */
	uint64_t most_runs;             /* 0 no limit */
	uint64_t first_steps;           /* events after which the recorded run is ended; 0 no limit */
	uint32_t window;                /* of a trace: synchronising events looked at together; 0: as many as fit into 4 GB */
	uint32_t replays;               /* of each confirmed bug */
	bool settle;                    /* what shows in no run and is no race or circle is asked about, too: do values forbid it?  And what ran is noted */
	const struct failure_rule *fails;       /* which exits are failures; NULL: those not with 0, if the recorded run exits with 0 */
	uint32_t memory;                /* enum steer_model: bugs that take this memory are looked for, too */
	bool (*go_on)(const struct predict *so_far);    /* asked between runs; NULL: always */
	/* What is known about the program without running it, when it is first wanted; both stay as they are if nothing is.  NULL: never. */
	void (*model)(void *with, struct model **model, struct depend **depend);
	void *with;
};

/* Orders that are no races or circles by themselves, were tried, showed nothing, and are forbidden by no rule. */
struct predict_left { bool between; const char *object; };      /* between: an access between two others; else two that changed places */

struct predict {
	struct findings found;
	VEC(struct predict_left) left;
	struct names functions;         /* with `settle`: those that did something in a recording, as written in the source */
	uint64_t events, accesses, runs, recordings;
	uint64_t thought;               /* steps (order_spent()) of the questions about values */
	uint64_t candidates, settled;   /* races and circles of waits; those that were tried */
	uint64_t read, whole;           /* events, while a trace is read: so far, and in all as far as known; 0: none is being read */
	uint64_t window;                /* a trace that is too long was looked at so many events at a time, each window half of the last one; 0: at once */
	bool endless;                   /* the recorded run was ended after like.max_seconds or `first_steps`: only its beginning was looked at */
	uint64_t looked;                /* events of a run that is too long: only the first so many; 0: all */
	const char *unlooked;           /* why not all circles of waiting threads, or lost signals, were looked for; NULL: they were */
	const char *broken;             /* why nothing follows from what was recorded: runs were tried all the same; NULL: it does */
	uint64_t dropped;               /* runs that did something new and were not recorded: there were too many */
	const char *unclaimed;          /* why it cannot be said that nothing was missed; NULL: it can */
	bool stopped;                   /* by go_on or most_runs: not everything was tried */
	char failed[STEER_SAY];         /* how the recorded run itself failed, "" it did not */
	bool failure_told;              /* that is one of the findings */
};

/* 0, or -1 and why.  Release it either way. */
int  predict_run(struct predict *p, const struct predict_setup *setup, struct err *why);
void predict_release(struct predict *p);

#endif
