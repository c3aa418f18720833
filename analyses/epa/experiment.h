/* analyses/epa/experiment.h -- one fault of a campaign: drawn, tried, judged.
 *
 * The list is drawn before the first run, from the golden run's counts and a seed: fault i is the same fault whoever makes it, whenever.  Types come in
 * turn, so that any beginning of the list has as many of each. */
#ifndef RADDLE_EPA_EXPERIMENT_H
#define RADDLE_EPA_EXPERIMENT_H

#include "analyses/epa/canon.h"
#include "analyses/epa/config.h"
#include "analyses/epa/faults.h"
#include "analyses/epa/quick.h"
#include "drive/schedule.h"

enum became { BECAME_NOT_ACTIVATED, BECAME_MASKED, BECAME_LATENT, BECAME_SILENT, BECAME_DETECTED, BECAME_CRASH, BECAME_HANG, BECAME_DEADLOCK, BECAME_COUNT };
extern const char *const became_words[];       /* "not activated", ... */
int became_of(const char *word);               /* or -1 */

#define SITE_ROOM 400u

struct experiment {
	uint64_t id;                            /* 1, 2, ... */
	char type[16], fault[64];               /* "BitFlip", "BitFlip:3" */
	char site[SITE_ROOM];                   /* "T_0_1:work#3@2" */
	char file[128];
	uint32_t line;
};

struct result {                                 /* plain bytes: handed from process to process */
	enum became outcome;
	int exit;                               /* 128 + signal */
	uint32_t threads;                       /* that deviate */
	char kind[16], thread[PATH_BYTES], file[256];   /* of the first deviation; "" none */
	uint32_t line;
	int64_t after;                          /* first deviation of the thread with the fault, in its events since that; -1 none, -2 before it */
	int64_t latency;                        /* events of all threads from the fault to its detection; -1 not detected */
	int64_t latency_us;                     /* the same in microseconds of the recorded run; -1 */
	uint64_t ms;
	bool quick;                             /* compared while it ran (quick.h); else from its trace */
	bool failed;                            /* it could not be tried: why */
	char why[512];                          /* and, masked or not activated: what became of the value, as fate.h has it */
};

struct golden_run {                                 /* the run without a fault */
	struct names_book book;
	struct trace *trace;
	struct canon canon;
	struct place_counts counts;
	struct fault_places places;
	char program[4096];                     /* absolute */
	char folder[4096];                      /* where the campaign was started; absolute */
	char work[4096];                        /* folder of all folders runs are made in; absolute */
	char room[4200];                        /* where it ran */
	uint64_t limit_ms, limit_segments;      /* of a run with a fault */
	uint64_t limit_steps;                   /* of a steered one */
	struct schedule *schedule;              /* all runs follow, NULL: none, or the first policy */
	struct fates *fates;                    /* fate.h */
	struct quick *quick;                    /* NULL: all runs are compared in full */
	int exit;
};

/* Runs the program a few times and keeps one run; refuses one whose runs differ.  `work`: a folder of its own, made anew.  0, or -1 and why. */
int  golden_run_make(struct golden_run *g, const struct campaign_config *c, const char *work, struct err *why);
void golden_run_release(struct golden_run *g);

typedef VEC(struct experiment) experiment_list;
int draw_all(experiment_list *out, const struct campaign_config *c, const struct golden_run *g, struct err *why);    /* 0, or -1 and why */

/* Runs it, alone in this process: standard input and output, folder and all are changed.  keep: where the trace is to stay, or NULL.
 * in_full: a trace is made and compared also where the quick comparison would do. */
void experiment_try(const struct experiment *e, const struct campaign_config *c, struct golden_run *g, const char *keep, bool in_full, struct result *r);

/* The trace a run left in its room, and its canonical form; indexed: lanes have `index`.  0, or -1 and why. */
int run_open(struct trace **t, struct canon *canon, struct names_book *book, const char *room, bool indexed, struct err *why);

#endif
