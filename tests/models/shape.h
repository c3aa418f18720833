/* tests/models/shape.h -- a litmus test as text:  threads separated by '|', operations by blanks.
 *   W0.2 a store of 2 bytes at byte 0; L release, S seq_cst; R load; X exchange; F seq_cst fence, f release fence
 * Memory is 8 bytes, zero at first.  The n-th operation of the text that writes (from 1) writes n into each of its bytes, so what a
 * load got says which stores it read.  An outcome is what each load and exchange got, in the order of the text, then memory at the end. */
#ifndef RADDLE_TESTS_SHAPE_H
#define RADDLE_TESTS_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#define SHAPE_BYTES   8
#define SHAPE_THREADS 4
#define SHAPE_OPS     16

struct op { char kind; unsigned at, size, value, thread; };             /* value: 0 it does not write */
struct shape { struct op op[SHAPE_OPS]; unsigned count, threads; };     /* by thread, in program order */

static inline bool op_reads(const struct op *o) { return o->kind == 'R' || o->kind == 'X'; }
static inline bool op_writes(const struct op *o) { return o->value != 0; }
static inline bool op_covers(const struct op *o, unsigned byte) { return o->size && byte - o->at < o->size; }

bool shape_parse(struct shape *s, const char *text);

/* A set of outcomes. */
struct outcomes { char (*at)[64]; size_t count, room; };
bool outcomes_add(struct outcomes *o, const char *text);        /* true: it is new */
void outcomes_sort(struct outcomes *o);
void outcomes_release(struct outcomes *o);

enum shape_model { SHAPE_SC, SHAPE_TSO, SHAPE_PSO };
/* All of them, by the axioms of the model (axioms.c). */
void axioms_outcomes(const struct shape *s, enum shape_model model, struct outcomes *out);

#endif
