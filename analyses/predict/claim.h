/* analyses/predict/claim.h -- may it be said that no race was missed?
 *
 * A recording tells of all orders of its events.  That other runs have these events and no others is known where
 *   (1) by model/, no instruction of the program is reached, and none touches one place and not another, because of a value that depends on the order: what is read
 *       of memory that several threads touch, whether a lock that was tried for was free, who came first;
 *   (2) nothing else tells a thread how far others have come: no input, clock, signal, process, descriptor or futex while there are several threads;
 *   (3) no atomic read orders plain accesses: in another order it reads from another write, and orders others.
 * Then every pair of lines that can race is a candidate.  Where one of these does not hold, a run in an order nobody tried may do what no run did: it is said why. */
#ifndef RADDLE_PREDICT_CLAIM_H
#define RADDLE_PREDICT_CLAIM_H

#include "analyses/predict/work.h"

/* Of the first recording, while its values are at hand: w->out->unclaimed says why not, NULL that it may.  0, or -1 and why. */
int claim_ask(struct work *w, const struct recording *r, struct err *why);

#endif
