/* analyses/check/check_inside.h -- what check.c, execute.c and certificate.c share: one check under way. */
#ifndef RADDLE_ANALYSES_CHECK_INSIDE_H
#define RADDLE_ANALYSES_CHECK_INSIDE_H

#include "analyses/check/check.h"
#include "analyses/check/classes.h"
#include "analyses/check/explore.h"
#include "analyses/check/resume.h"
#include "analyses/check/turns.h"

#define MOST_STEPS 1000000u             /* events of one run */

/* A run whose threads that did not wait only went round; its place in `ends`, and its class if the search goes on. */
struct stuck { size_t end; struct key class; struct run_done run; };
/* A run for a class none has shown. */
struct flight { struct schedule schedule; struct key class; bool done; struct run_done run; struct run_end end; };
typedef VEC(struct flight) flights;

struct work {
	const struct check_options *o;
	struct check_result *out;
	struct threads threads;
	struct explore *search;
	struct classes classes;
	struct runs *runs;
	struct runs_setup setup;
	struct ends ends;
	struct names raced;             /* pairs of places */
	struct buffer written;          /* by a run that did not fail, if `has_written` */
	bool has_written;
	VEC(struct stuck) stuck;
	flights waiting, late;          /* classes to be executed; late ones at the end, if no run has shown them by then */
	uint64_t most_steps;
	double began;
	uint64_t bound;                 /* of threads (wire/steer.h), 0: there is none; */
	uint64_t most_made, most_states;        /* a search within wider bounds than the one before: it is given up behind these; 0: no limit */
	uint64_t made;                  /* runs by this process that count */
	struct resume *resume;          /* or NULL */
	double kept_at, keep_every;     /* seconds */
	bool enough;                    /* it is incomplete because somebody wanted it to end */
	bool broken;                    /* what was learned could not be kept */
	struct err *why;
};

void work_incomplete(struct work *w, const char *why);          /* the first reason is kept */
bool work_is_sound(const struct work *w);                       /* no reason to end it is known */
bool work_goes_on(struct work *w);                              /* and nobody wants it to */
/* A run that is over, and what is learned from it.  0; -1 and why. */
int  work_take(struct work *w, struct run_done *done, struct run_end *end);
void work_count(struct work *w, struct run_done *done, const struct run_end *end);      /* it is no longer the caller's */
/* A schedule of all that was done. */
void work_turns(struct work *w, const doings *way, const struct further *further, size_t count, struct schedule *out);
void work_schedule(struct work *w, const struct further *further, size_t count, struct schedule *out);  /* to where the search stands, and so many further */

/* execute.c: classes the search found and no run has shown. */
void execute_later(struct work *w, const struct explore_found *f);      /* that at which the search stands */
bool execute_is_due(const struct work *w);
int  execute_found(struct work *w, bool all);                   /* 0; 1: states are others now; -1 and why.  all: late ones, too */
void execute_drop(struct work *w);                              /* what is left of them */

#endif
