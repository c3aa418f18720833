/* analyses/epa/judge.h -- what a fault did to a run.
 *
 * What the fault itself put there is no deviation: only what came of it.  Of the threads that deviate the one with the fault is told, if it is one of
 * them, else the first by path: who came first natively hangs on scheduling.  Where a run was ended (crash, hang, exit), threads that did nothing else but
 * stop there are not counted, unless nobody did anything else. */
#ifndef RADDLE_EPA_JUDGE_H
#define RADDLE_EPA_JUDGE_H

#include "analyses/epa/experiment.h"

struct judged {                                 /* a run with a fault */
	const struct campaign_config *config;
	struct golden_run *golden;
	const struct fault_place *place;        /* where it is really made */
	const struct fault_site *site;
	const struct fault_order *order;        /* and what became of it */
	bool late, signalled;
	bool deadlock, left;                    /* of a steered run: everybody waits; it left its schedule */
	const char *room;
	size_t fault;                           /* the entry of the golden lane it is made at; SIZE_MAX: there is none */
};

int64_t judge_called(const struct canon *c, const char *function);       /* the number of the first event that calls or enters it, or -1 */
size_t judge_fault_at(const struct judged *j);          /* that entry, searched for by place and site */
int judge_full(struct result *r, const struct judged *j, struct err *why);      /* from its trace: 1, or -1 and why */
int judge_quick(struct result *r, const struct judged *j);        /* from the golden run's quick comparison: 1, or 0: it cannot be told */

#endif
