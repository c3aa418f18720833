/* analyses/predict/lab.h -- where predictions are tried: runs of the real program, one after another, with the race detector on. */
#ifndef RADDLE_PREDICT_LAB_H
#define RADDLE_PREDICT_LAB_H

#include <signal.h>

#include "base/buffer.h"
#include "drive/evidence.h"
#include "drive/failure.h"
#include "drive/runs.h"

#define LAB_NAME 256u
#define LINGERS 1000u                   /* events of each thread that is left alone, before the program exits */
#define NOVEL_EVENTS 20000u             /* of a run that are noted one by one */

struct lab {
	struct steer_options like;
	struct runs *runs;
	struct failure_rule rule;       /* which exits are failures */
	uint64_t made;                  /* runs */
	char trace[LAB_NAME];           /* file a recording goes through; */
	char story[LAB_NAME];           /* and the first replay of what lab_keep() wrote */
	sigset_t mask;                  /* of signals, as it was when the lab was opened */
	uint64_t output;                /* of the first run: lab_output() */
	enum steer_outcome outcome;     /* and how it ended, */
	uint64_t steps;                 /* after how many events */
	struct names waits;             /* where its threads waited at its end (lab_waits()) */
	uint64_t lingers;               /* where exits cut threads off: how many events each of those may still make in runs that are made, 0 none */
	uint64_t first_steps;           /* how many it may have, until lab_bound() says what runs may; 0 no limit */
};

/* 0, or -1 and why (as steer_run() has it).  Close it either way. */
int  lab_open(struct lab *l, const struct steer_options *like, struct err *why);
void lab_close(struct lab *l);
/* From here on runs with more events than a run of `events` allows are endless, or more than `most`.  0, or -1 and why. */
int  lab_bound(struct lab *l, uint64_t events, struct err *why);
int  lab_bound_at(struct lab *l, uint64_t most, struct err *why);

/* A run that went well ended with threads waiting: who waits there at the end of others, stuck ones, may always do so. */
void lab_waits(struct lab *l, struct steer_result *r);

/* Runs `script` (NULL: as the policy `first` has it).  Under a weak memory model all stores but `late` (or NULL) are seen as under SC.
 * 0 and *out to be released; or -1 and why. */
int  lab_run(struct lab *l, const struct schedule *script, bool loose, const struct steer_late *late, struct run_done *out, struct err *why);
/* Runs it under a schedule that is drawn; for each number the same one. */
int  lab_draw(struct lab *l, uint32_t number, struct run_done *out, struct err *why);
/* Runs a script with all that a recording needs: the trace is in l->trace, the points in out->result.events. */
int  lab_record(struct lab *l, const struct schedule *script, bool loose, struct run_done *out, struct err *why);
/* The first run once more, in which who exits waits for what the others can still do: they were cut off.  As lab_record(). */
int  lab_linger(struct lab *l, struct run_done *out, struct err *why);

/* Runs a log once more, with a trace in l->story. */
int  lab_trace(struct lab *l, const struct schedule *script, struct run_done *out, struct err *why);

/* What the run put out, as a number: lines in any order, for threads may take turns. */
uint64_t lab_output(const struct run_done *run);
/* A run that was too long but would have ended if all threads had got their turns becomes `late`, which no failure is: done with all runs of this lab but
 * those lab_keep() makes.  0, or -1 and why. */
int  lab_judge(struct lab *l, struct steer_result *r, struct err *why);
bool lab_differs(const struct lab *l, const struct run_done *run);     /* from what the first run put out, and not because seconds were skipped */
bool lab_failed(const struct lab *l, const struct run_done *run);      /* not to end is no failure where the first run did not */

/* Does a run show what is looked for? */
struct lab_sign {
	bool (*shows)(const struct lab_sign *sign, struct run_done *run);
	void (*mark)(const struct lab_sign *sign, struct run_done *run);        /* evidence_setup.mark; or NULL */
};
/* evidence_keep() of the log of a run, written as `path`; l->story is the trace of its first replay. */
int  lab_keep(struct lab *l, const struct schedule *log, const char *path, uint32_t replays, const struct lab_sign *sign,
	struct evidence *out, struct err *why);

#endif
