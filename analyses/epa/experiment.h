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
#include "base/digest.h"
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
	bool parted;                            /* it went on from where the fault is (parting.h); */
	char anew[120];                         /* else why its beginning was executed again, where it need not be */
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
	char digest[DIGEST_ROOM];               /* golden_digest.h */
};

/* Runs the program a few times and keeps one run; refuses one whose runs differ.  `work`: a folder of its own, made anew.  0, or -1 and why. */
int  golden_run_make(struct golden_run *g, const struct campaign_config *c, const char *work, struct err *why);
void golden_run_release(struct golden_run *g);

typedef VEC(struct experiment) experiment_list;
int draw_all(experiment_list *out, const struct campaign_config *c, const struct golden_run *g, struct err *why);    /* 0, or -1 and why */

/* What it is about: the order for the runtime, and where in the golden run that is. */
struct experiment_target {
	struct fault fault;
	struct fault_site site;
	struct fault_order order;
	const struct fault_place *place;        /* where it is really made */
	size_t entry;                           /* of the golden lane; SIZE_MAX not there */
};
int experiment_aim(struct experiment_target *a, const struct experiment *e, const struct campaign_config *c, struct golden_run *g, struct err *why);        /* 0, or -1 and why */

/* A run without a fault that stands where this one is to be made (drive/trunk.h), and its folder. */
struct trunk;
struct standing { struct trunk *trunk; const char *room; bool lost; };        /* lost: no run could part from it */

/* Runs it, alone in this process: standard input and output, folder and all are changed.  keep: where the trace is to stay, or NULL.
 * in_full: a trace is made and compared also where the quick comparison would do. */
void experiment_try(const struct experiment *e, const struct campaign_config *c, struct golden_run *g, const char *keep, bool in_full, struct result *r);
/* The same from where the run stands; if that does not go it is started anew. */
void experiment_part(const struct experiment *e, const struct campaign_config *c, struct golden_run *g, struct standing *from, struct result *r);
/* A folder to run in, with what the program needs, becomes that of this process, and its standard input and output are as the program is to find them.  0, or -1 and why. */
int  experiment_enter(const struct campaign_config *c, const struct golden_run *g, const char *name, char room[4200], struct err *why);
struct steer_options experiment_steered(const struct campaign_config *c, const struct golden_run *g, char **argv);   /* argv: room for EXPERIMENT_WORDS */
#define EXPERIMENT_WORDS 1024

/* The trace a run left in its room, and its canonical form.  0, or -1 and why. */
enum run_kind { RUN_GOLDEN, RUN_AGAIN, RUN_FAULTY };    /* lanes of a golden one have `index`; a faulty one may have written over what it told: what is sound is used */
int run_open(struct trace **t, struct canon *canon, struct golden_run *g, const char *room, enum run_kind kind, struct err *why);

#endif
