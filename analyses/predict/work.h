/* analyses/predict/work.h -- what the files of predict share: the goals, kept from one recording to the next, and what was learnt on the way. */
#ifndef RADDLE_PREDICT_WORK_H
#define RADDLE_PREDICT_WORK_H

#include "analyses/predict/lab.h"
#include "analyses/predict/predict.h"
#include "analyses/predict/values.h"
#include "drive/early.h"

/* Rising: what one recording says of a goal another does not take back.  OTHERWISE: told by another finding. */
enum goal_state { GOAL_OPEN, GOAL_INFEASIBLE, GOAL_SPECULATIVE, GOAL_LEFT, GOAL_REACHED, GOAL_OTHERWISE };

struct goal {
	enum aim_kind kind;
	enum goal_state state;
	const char *key;
	struct finding *finding;        /* races and circles have one from the start */
	uint32_t tries, foreseen;       /* runs for it; and schedules that were not run, as it was known where they are left */
	uint32_t kept;                  /* of them in orders in which what its events depend on stays as it was */
	uint32_t beside;                /* 1 + number of the log (struct work) of a run in which the detector saw it, made for something else; 0: none */
	uint32_t in_vain;               /* recordings in which it was tried, and showed nothing */
	bool settled;                   /* it was tried */
	bool raced;                     /* in a recorded run, by the detector, */
	bool outside;                   /* and somebody outside may have kept the two in order there */
	bool shares;                    /* runs of others stand for its own where they began alike: values are not known to permit it, in the recording at hand, though that was asked */
};

struct left_at { const char *expected, *came; uint32_t times; };         /* a step, and how many runs left their schedules there */

/* A run stood there (dams.c): threads as schedules of the recording number them. */
struct dam {
	uint64_t recording, left;       /* 1 + number in `left` */
	uint64_t point;                 /* the event of `thread` it was to go past, */
	uint32_t thread, holder;        /* and who has what it waits for, NO_PART the outside; */
	size_t from;                    /* how far all threads had come, in `dammed` */
	uint32_t threads;
};

struct work {
	struct predict *out;
	const struct predict_setup *setup;
	struct lab sc, weak;            /* weak: of setup->memory, once the other one has been through everything */
	struct lab *lab;                /* where runs are tried now */
	struct names keys;              /* number of a key = number of its goal */
	VEC(struct goal) goals;
	struct names failures;          /* failure_key()s told */
	struct names raced;             /* "line line object" of the races the detector saw in recorded runs */
	VEC(struct schedule) waiting;   /* logs of runs to be recorded, */
	uint32_t taken;                 /* and how many of them were */
	VEC(struct schedule) beside;    /* logs of runs (beside.h) */
	const struct recording *at_hand;        /* the recording, while it is thought about */
	const char *assumed;            /* of it, or NULL */
	struct values values;           /* and what its events depend on */
	struct map tried;               /* scripts, by goal and recording */
	struct map begun;               /* beginnings of scripts, each up to a step at which runs left it -> 1 + number in */
	VEC(struct left_at) left;
	VEC(struct dam) dams;
	VEC(uint64_t) dammed;
	bool claim_asked;               /* claim.h */
	struct early early;             /* where runs of `weak` lost stores that should have waited */
	struct map seen, places;        /* novel.c: ways of runs, and (place, kind) of their events */
	struct names pairs;             /* and lines that may race, as far as anybody has said so: "line|line" */
};

/* predict.c */
extern const char *const work_not_all;                  /* assumed of a finding that is closed by some of its pairs of events */
bool work_may_run(struct work *w);
struct goal *goal_of(struct work *w, const struct recording *r, const struct aims_group *g);     /* made when it is first met */
bool work_copy(const struct run_done *run, struct schedule *copy);      /* of its log; false: it is not known, nothing to be released */
bool work_keep(struct work *w, const struct run_done *run);             /* its order is to be recorded; false: it is not known */
const char *work_rule(struct work *w, char *lines);     /* the rule that closed it, of the lines order/ prints */

/* tries.c */
/* Runs one order of an aim, unless it was.  *t to be released if made.  0, or -1 and why.  foreseen: there was no run, as enough of those that begin alike were left
 * on the way, which is noted as if this one had been; only of a goal that shares. */
struct try { bool made, left, foreseen; struct schedule script; struct run_done run; };
void try_release(struct try *t);
int  try_way(struct work *w, const struct recording *r, struct goal *g, const struct aim *aim, uint32_t way, struct try *t, struct err *why);
/* Makes runs for a goal, by the aims of its group.  0: its state says what came of it; or -1 and why. */
int  goal_try(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why);
/* late.c: the same of an AIM_LATE, under a weak memory model. */
int  goal_try_late(struct work *w, const struct recording *r, struct goal *g, const struct aims_group *group, struct err *why);
/* draws.c: runs under drawn schedules; those that show what is open are kept.  0, or -1 and why. */
int  draw_runs(struct work *w, struct err *why);
/* shown.c */
void races_seen(struct work *w, const struct race_list *l);             /* by the detector in a recorded run */
bool race_was_seen(const struct work *w, const struct aims_group *g);

#endif
