/* drive/evidence.h -- a run that showed something, kept so that others can see it: made once more with all that a schedule file needs, written,
 * and replayed from there.
 *   (1) nothing is written of a run that did not show it again;
 *   (2) if no replay of the kept input shows it (another process writes to memory or a file the two share), replays ask
 *       the outside, as the run did;
 *   (3) what no replay shows leaves no file behind: that would be no schedule of it, and nobody is to call it confirmed;
 *   (4) a folder that cannot be written to is no reason not to replay: the schedule is then written elsewhere, replayed,
 *       and removed.  Why it is not at `path` is said, and is no error. */
#ifndef RADDLE_DRIVE_EVIDENCE_H
#define RADDLE_DRIVE_EVIDENCE_H

#include <signal.h>

#include "drive/runs.h"

struct evidence_setup {
	struct steer_options like;      /* program and settings; input INPUT_SERVE, or it is kept now */
	const sigset_t *mask;           /* what the program is to have blocked; NULL: what we have */
	bool (*shows)(const void *with, struct run_done *run);  /* asked of each run first; it may note there what it knows of it */
	const void *with;
	void (*mark)(const void *with, struct run_done *run);   /* of the run that is written: notes in its log where a debugger stops; or NULL */
	const char *path;               /* where it is written */
	uint32_t policy, depth;         /* where the schedule came from */
	uint64_t seed;
	uint32_t replays;               /* so many, */
	unsigned jobs;                  /* and how many at a time */
	bool races;                     /* with the race detector */
	const char *trace;              /* of the first one; or NULL */
};

struct evidence {                       /* evidence_release() it */
	struct run_done run;            /* the one more run; its races are known, */
	struct race_watch *races;       /* and their places are this one's */
	bool again;                     /* it showed it */
	bool written;                   /* false, and it was shown again: why_not says what is in the way */
	char why_not[400];
	uint32_t replays, shown;        /* made, and those of them that showed it */
	bool live;                      /* it takes what comes from outside: it was written without input, so that replays ask again */
	bool lends;                     /*   namely what another process does in memory the two share */
	bool interrupted;               /* before all replays were made; it may be written, and not one made yet */
};

/* Notes in the log of this run that a debugger stops before the second access of this race of it. */
void evidence_stop_at_race(struct run_done *run, const struct race *race);
/* loose: `script` is advice.  0 and *out to be released; or -1 and why. */
int  evidence_keep(const struct evidence_setup *setup, const struct schedule *script, bool loose, struct evidence *out, struct err *why);
void evidence_release(struct evidence *e);

#endif
