/* tests/order/small.h -- small runs: made at random or one after the other, observed in a feasible order. */
#ifndef SMALL_H
#define SMALL_H

#include <stdbool.h>
#include <stdint.h>

#define MOST_EVENTS  24
#define MOST_THREADS 4

struct small_event { int thread, kind, object, arg; };  /* kind: enum event_kind; arg as wire/kinds.h has it */
struct small { int count, threads; struct small_event ev[MOST_EVENTS]; int sem_first[4]; };

void small_random(struct small *s, int events, uint64_t *seed);
/* Every run of n events, 2 threads, 1 variable, 1 lock: false past the last.  *at begins as 0. */
bool small_numbered(struct small *s, int n, uint64_t *at);
void small_print(const struct small *s);

/* brute.c: all interleavings.  Can event b be next while a is still to come; and can all follow when b goes first? */
struct brute { bool can, can_complete; };
struct brute brute_reverse(const struct small *s, int a, int b);
/* Can both be next at once? */
bool brute_adjacent(const struct small *s, int a, int b);
void brute_prepare(const struct small *s);
bool brute_needs(int event, int before);                /* of the run prepared: must `before` come before, by what was seen? */
bool brute_wants_signal(int event);
bool brute_stuck(void);                                 /* of the run prepared: is there a state from which not all can follow? */

/* smt.c: the same question as a formula. */
struct brute smt_reverse(const struct small *s, int a, int b);

#endif
