/* order/refute.h -- how a question came to its no, step by step, kept while it is searched and written as a refutation
 * (docs/refutation-format.md) when it is over.
 *   (1) steps name clauses and ways of the search they were kept of, and are written before it is used again;
 *   (2) what a search that was given up did is forgotten: SAT begins anew. */
#ifndef RADDLE_ORDER_REFUTE_H
#define RADDLE_ORDER_REFUTE_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* FALSE: a way closes a cycle; FORCE: it is the only one left; CASE: it is assumed; CLOSED: what was assumed last, or all, is
 * refuted; LEARN: a clause of SAT. */
enum step_kind { STEP_FALSE, STEP_FORCE, STEP_CASE, STEP_CLOSED, STEP_LEARN };
struct proof_step { uint8_t kind; uint32_t way, end; };         /* LEARN: literals[way .. end) */
struct proof { VEC(struct proof_step) steps; VEC(int) literals; };      /* +-(way + 1) */

/* NULL is fine for all: nothing is kept. */
void proof_step(struct proof *p, enum step_kind kind, uint32_t way);
void proof_literal(struct proof *p, int literal);               /* of a clause whose end follows */
void proof_learn(struct proof *p);                              /* its end */
void proof_clear(struct proof *p);

/* because.c: of these nodes (their order is lost), each two threads' event and the event of another it waits for, by which they come to know of each other. */
struct order;
void order_because(struct order *o, uint32_t *nodes, size_t count, void (*put)(void *with, uint32_t from, uint32_t to), void *with);

#endif
