/* tests/order/engine.h -- a small run handed to the engine. */
#ifndef ENGINE_H
#define ENGINE_H

#include "order/order.h"
#include "tests/order/small.h"

#define ATOMIC_OBJECT 0x8000u
#define SEM_OBJECT(k) (0x2000u + 64u * (unsigned)(k))

/* events: as a trace has them; the first four of thread 0 initialise semaphores.  nodes: of accesses noted with their values; or NULL. */
struct order *engine(const struct small *s, bool weak, struct event *events, uint32_t *nodes);

/* refuted.c: a run of locks, forks and accesses. */
void small_locks(struct small *s, int events, uint64_t *seed);
/* Every no of the engine about this run has a refutation that holds, and none that holds is for what can be.
 * False: something is not so, and has been said. */
bool refuted_all(const struct small *s, uint64_t *seed);
extern uint64_t refuted_count, refuted_by_rules, refused_count; /* refutations that held; not by clocks alone; altered ones that did not */

/* refuted_large.c: a random run of 8 threads and 6 locks, 20 questions, refutations of those that are a no. */
bool refuted_large(uint64_t *seed);
extern uint64_t large_refuted, large_learnt;            /* those that needed rules; the most clauses of one */

#endif
