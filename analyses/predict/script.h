/* analyses/predict/script.h -- an aim as a schedule: what order/ says leads there, then the moments themselves. */
#ifndef RADDLE_PREDICT_SCRIPT_H
#define RADDLE_PREDICT_SCRIPT_H

#include <stdio.h>

#include "analyses/predict/aims.h"
#include "drive/steer.h"

/* In how many orders an aim is tried.  Of a race: the second one first, then as observed; of a turn: everybody as far as may be, then
 * only as far as needed, and of two atomic accesses both, one right behind the other; of a late store: its thread as far as the store can wait, then
 * only past one more event, and each time the other one goes on behind its access, then the store's.  Each of them first with the accesses on the way in the order they were observed in, so that most of
 * them see what they saw, then with each as late as can be, so that most see something else. */
uint32_t script_ways(const struct aim *aim);
/* Is it possible, in an order the spots of the aim are of?  The reads that must return what they returned (NULL: none), the steps it may take (0:
 * the usual), the witness (to be released) and the rules that close it: any may be NULL. */
enum order_answer script_ask(struct order *o, const struct aim *aim, const struct order_read *reads, uint64_t budget, struct witness *witness,
	FILE *explain);
/* The same, of all reads, by the table there is of that: true, it is not.  False: it is to be asked. */
bool script_kept_apart(struct order *o, const struct aim *aim, FILE *explain);
/* The store that is to be late in a schedule of an aim; nth 0: there is none. */
struct steer_late script_late(const struct schedule *s, const struct recording *r, const struct aim *aim);
/* YES and a schedule to be released (a guess, where the recorded order is broken); else the answer of order/, with the rules that closed it in `explain` (may be NULL). */
enum order_answer script_make(struct schedule *out, const struct recording *r, const struct aim *aim, uint32_t way, FILE *explain);
/* The same, of an order that has accesses among its nodes (the aim's spots are of it), in which the reads that matter return what they must: its witness puts those
 * in their places, too.  way: which of the aim's orders. */
enum order_answer script_make_keeping(struct schedule *out, const struct recording *r, struct order *order, const struct aim *aim, const struct order_read *reads,
	uint64_t budget, uint32_t way);

#endif
