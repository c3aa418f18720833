/* analyses/check/check.h -- raddle check: every behaviour of a program, each executed once.
 *
 * What a thread does next hangs on what it was told so far: the results of its reads, updates and tries.  So each thread is a
 * tree, learned from runs (threads.c, learn.c), and the program is all trees together over one memory (space.c).  The search (explore.c) visits every
 * state of that; where a thread comes to a place no run has shown, the real program is steered there, and what it does is learned
 * (check.c).  A class is what every thread was told and where it ended; a class the search finds is executed too, and must end as
 * foretold. */
#ifndef RADDLE_ANALYSES_CHECK_H
#define RADDLE_ANALYSES_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/err.h"
#include "base/vec.h"
#include "drive/failure.h"
#include "drive/runs.h"

#define CHECK_RUN_SECONDS 60u

struct check_options {
	char *const *argv;
	uint32_t model;                 /* enum steer_model */
	uint64_t most_runs;             /* by this process; 0: no limit */
	double most_seconds;            /* 0: no limit */
	unsigned run_seconds;           /* of one run; 0: CHECK_RUN_SECONDS */
	unsigned jobs;                  /* runs at a time; 0: one a core */
	const char *state;              /* file to go on from and to keep what was learned in, or NULL */
	const char *certificate;        /* file to write one into when the search has come to its end, or NULL */
	bool reuse;                     /* the heap gives a freed block out again, to the thread that freed it */
	bool keep_going;                /* behind the first bug too */
	bool same_output;               /* runs that do not fail are to write the same */
	bool estimate;                  /* how many classes there are: only what no run has shown is executed, until the time is over */
	const char *trusted;            /* objects whose code need not be watched, "liba.so,libb.so"; or NULL */
	double began;                   /* clock_seconds() from which time counts; 0: now */
	bool (*is_stopped)(void);       /* somebody wants it to end; or NULL */
	bool (*progress)(uint64_t done, uint64_t frontier);     /* executions; states and classes still to be looked at.  False: enough.  Or NULL */
};

enum check_verdict { CHECK_SAFE, CHECK_BUG, CHECK_INCOMPLETE };

struct check_bug { struct run_done run; struct buffer key; };    /* a run that failed, and how: failure_key() */

/* "bank.c:41: race: ..."; a schedule that leads there; by what a replay shows it: the two places of a race, or what was written. */
struct check_found {
	struct buffer line;
	struct schedule schedule;
	struct schedule otherwise;      /* that may show it where the first does not; no steps: there is none */
	char place[2][200];
	struct buffer output;
	size_t same;                    /* bytes of the output that others wrote too */
};

struct check_result {
	enum check_verdict verdict;
	uint64_t executions, classes, states;
	double share;                   /* an estimate: of the search that is behind it; 1: all, */
	double estimate;                /* and how many classes there are then */
	bool certified;                 /* a certificate was written, */
	const char *uncertified;        /* or why there is none of such a program; or NULL */
	char granted[400];              /* functions of libraries that were taken to do nothing but what events tell; "" none */
	bool is_bounded;                /* `why` says to what */
	bool cut;                       /* incomplete only because the runs or the time allowed are over, or somebody wanted it to end */
	VEC(struct check_bug) bugs;     /* each kind once */
	VEC(struct check_found) races;  /* each pair of places once */
	VEC(struct check_found) outputs;        /* a run that wrote something else than others, if there is one */
	size_t unshown;                 /* of races and outputs: no replay shows them (whoever tells them counts) */
	struct steer_options like;      /* how all runs were made */
	char why[512];                  /* incomplete: the first reason */
	double seconds, cpu_seconds;    /* of all processes */
};

/* 0 and *out to be released; or -1 and why: the program could not be run, or the state not be used. */
int  check_program(const struct check_options *o, struct check_result *out, struct err *why);
void check_result_release(struct check_result *r);

#endif
