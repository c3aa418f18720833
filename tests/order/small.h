/* tests/order/small.h -- small runs: made at random or one after the other, observed in a feasible order. */
#ifndef SMALL_H
#define SMALL_H

#include <stdbool.h>
#include <stdint.h>

#define MOST_EVENTS  24
#define MOST_THREADS 4

/* kind: enum event_kind; arg as wire/kinds.h has it.  Of accesses, once small_values() gave them: which of two bytes they touch,
 * what was read there and what written; bytes 0: none were given. */
struct small_event { int thread, kind, object, arg, bytes, got[2], put[2]; };
struct small { int count, threads; struct small_event ev[MOST_EVENTS]; int sem_first[4]; };

void small_random(struct small *s, int events, uint64_t *seed);
/* Every run of n events, 2 threads, 1 variable, 1 lock: false past the last.  *at begins as 0. */
bool small_numbered(struct small *s, int n, uint64_t *at);
void small_values(struct small *s, uint64_t *seed);     /* values.c: as the observed order has them; first values are 0 */
void small_print(const struct small *s);

/* brute.c: all interleavings.  Can event b be next while a is still to come; and can all follow when b goes first? */
struct brute { bool can, can_complete; };
struct brute brute_reverse(const struct small *s, int a, int b);
/* Can both be next at once? */
bool brute_adjacent(const struct small *s, int a, int b);
void brute_prepare(const struct small *s);
bool brute_needs(int event, int before);                /* of the run prepared: must `before` come before, by what was seen? */
bool brute_wants_signal(int event);
/* Of the run prepared: can event `read` be next while memory has what is asked for, the reads of `kept` (a bit each) having
 * returned their values?  Asked for: what event `from` wrote, or from < 0: `value`. */
struct brute_read { int read, from, value[2]; uint32_t kept; };
bool brute_reads(const struct small *s, const struct brute_read *q);
bool brute_stuck(void);                                 /* of the run prepared: is there a state from which not all can follow? */

/* smt.c: the same question as a formula. */
struct brute smt_reverse(const struct small *s, int a, int b);
bool smt_reads(const struct small *s, const struct brute_read *q);

/* values.c: what an access does to byte i, and of which bytes of memory (two of each variable, two of the atomic). */
bool small_reads(const struct small_event *e);
bool small_writes(const struct small_event *e);
#define MOST_BYTES 6
int small_byte(const struct small_event *e, int i);     /* 0 .. MOST_BYTES - 1; -1: not touched */

#endif
