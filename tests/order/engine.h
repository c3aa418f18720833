/* tests/order/engine.h -- a small run handed to the engine. */
#ifndef ENGINE_H
#define ENGINE_H

#include "order/order.h"
#include "tests/order/small.h"

#define ATOMIC_OBJECT 0x8000u
#define PLAIN_OBJECT(i) (0x7000u + 71u * (unsigned)(i))         /* two bytes; of the second one in two of the words the engine keeps */
#define SEM_OBJECT(k) (0x2000u + 64u * (unsigned)(k))

/* events: as a trace has them; the first four of thread 0 initialise semaphores.  nodes: of accesses noted with their values; or NULL. */
struct order *engine(const struct small *s, bool weak, struct event *events, uint32_t *nodes);
struct order *engine_stores(const struct small *s, enum order_model model, struct event *events, uint32_t *nodes);      /* for values under that model */

/* refuted.c: a run of locks, forks and accesses. */
void small_locks(struct small *s, int events, uint64_t *seed);
/* Every no of the engine about this run has a refutation that holds, and none that holds is for what can be.
 * False: something is not so, and has been said. */
bool refuted_all(const struct small *s, uint64_t *seed);
extern uint64_t refuted_count, refuted_by_rules, refuted_cycle_count, refused_count; /* refutations that held; not by clocks alone; of deadlocks; altered ones that did not */
/* Whatever pair of events its checker takes to wait for each other: the second never comes without the first. */
bool refuted_pairs(const struct small *s);
extern uint64_t pairs_count[2];                         /* taken; not taken */
extern uint64_t beside_count[2];                        /* beside altered runs: refused; still a proof */

char *small_twin(const struct small *s, const struct event *events);    /* free() it */
const char *refutation_of(const char *twin, const char *text);    /* what its checker says */
void refutation_alter(char *steps, uint64_t *seed);     /* a line lost, a byte changed, or nothing at all */

/* refuted_more.c: the same of all events with two of them turned round, of TSO and PSO, and (a run that has values) of what reads return. */
bool refuted_stuck(const struct small *s, uint64_t *seed);
bool refuted_weak(const struct small *s, uint64_t *seed);
bool refuted_reads(const struct small *s, enum order_model model, uint64_t *seed);
bool refuted_lives(const struct small *s, uint64_t *seed);     /* and of locks that have more than one life: not every no has one */
extern uint64_t stuck_refuted, weak_refuted, reads_refuted, lives_refuted;
extern uint64_t greedy_rules, greedy_learnt;            /* under claims that can be: rules drawn and taken, clauses that followed */

/* refuted_large.c: a random run of 8 threads and 6 locks, 20 questions, refutations of those that are a no. */
bool refuted_large(uint64_t *seed);
extern uint64_t large_refuted, large_learnt;            /* those that needed rules; the most clauses of one */

#endif
