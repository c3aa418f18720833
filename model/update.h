/* model/update.h -- updates of integers in memory that may be made in any order: x += a; x += b; whichever comes first.
 *
 * Such an update is either one atomic read-modify-write whose result nobody uses, or a load and a store: what is stored is what was
 * loaded, changed by one kind of operation only, and what was loaded is used for nothing else: no branch, no address, no other value.
 *   (1) Operations of one kind on the same bytes commute: additions and subtractions together, multiplications, and, or, xor, each of
 *       the four minima and maxima.  Numbers wrap, so their low bytes hang on low bytes alone; a minimum does not: it takes whole ones.
 *   (2) With what it is changed does not come from the load: all that does is in the chain, which is the load, the store and nothing else.
 *   (3) No two chains end in one store.
 * That load and store belong to one another at run time (the same bytes, nobody in between) is not said here: a trace knows. */
#ifndef RADDLE_MODEL_UPDATE_H
#define RADDLE_MODEL_UPDATE_H

#include "model/code.h"

struct updates;

struct update {
	uint8_t kind;           /* enum sum: ADD MUL AND OR XOR SMIN ..., or NONE: this is none */
	uint32_t load, store;   /* values; of an atomic one both are itself */
};

struct updates *updates_new(const struct code *c);      /* which must outlive it */
void updates_free(struct updates *u);                   /* NULL is fine */
struct update updates_at(struct updates *u, uint32_t value);    /* of a load, a store or a read-modify-write */

#endif
