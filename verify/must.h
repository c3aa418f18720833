/* verify/must.h -- what comes before what in every order: by one thread's program, or because of one rule of two threads.
 * A node is 2 * event: when it is made; or, of a store or a release that waits in its thread's buffer, 2 * event + 1: when it is in memory. */
#ifndef RADDLE_VERIFY_MUST_H
#define RADDLE_VERIFY_MUST_H

#include "verify/twin.h"

#define END (NOTHING - 1)                       /* of the prefix that is claimed not to exist; a node */

enum model { SC, TSO, PSO };
extern enum model model;

uint32_t node_of(uint32_t e);                   /* when it happens for the others */
bool program_before(uint32_t x, uint32_t y);    /* node x before node y, of the same thread */
bool must_before(uint32_t e, uint32_t f);       /* event f, of another thread, waits for e: for e alone, not through others */

/* Locks.  A section lasts from an event that takes to the one that gives, NOTHING: to the end. */
bool section_begins(uint32_t e, uint64_t *lock, bool *shared);   /* of a lock that is had */
uint32_t section_end(uint32_t take);

#endif
