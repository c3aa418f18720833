/* tests/order/small.h -- small runs: made at random or one after the other, observed in a feasible order. */
#ifndef SMALL_H
#define SMALL_H

#include <stdbool.h>
#include <stdint.h>

#define MOST_EVENTS  24
#define MOST_THREADS 4

#define WIDE         2           /* object of a plain write that covers both atomic cells */

/* kind: enum event_kind; arg as wire/kinds.h has it, CAS: failed; order: enum mem_order.  Of accesses, once small_values() gave them:
 * which of two bytes they touch, what was read there and what written; bytes 0: none were given. */
struct small_event { int thread, kind, object, arg, order, bytes, got[2], put[2], result; };
/* lives: machine.h is about its mutexes and semaphores; robust: its lock 1 is.  There put[0] of a LOCKINIT is the semaphore's value, of a LOCK or CWAKE that
 * has EOWNERDEAD whether the mutex is made consistent. */
struct small { int count, threads; struct small_event ev[MOST_EVENTS]; int sem_first[4]; bool lives, robust; };

void small_random(struct small *s, int events, uint64_t *seed);
void small_lives(struct small *s, int events, uint64_t *seed);          /* lives.c: mutexes and semaphores have more than one life, as a rule */
/* Every run of n events, 2 threads, 1 variable, 1 lock: false past the last.  *at begins as 0. */
bool small_numbered(struct small *s, int n, uint64_t *at);
void small_values(struct small *s, uint64_t *seed);     /* values.c: as the observed order has them; first values are 0 */
/* Every run of n accesses, atomics and fences of 2 threads, the first one's the first. */
bool small_weak_numbered(struct small *s, int n, uint64_t *at);
void small_print(const struct small *s);

enum brute_model { BRUTE_SC, BRUTE_TSO, BRUTE_PSO };

/* saw.c: of the run prepared, what events saw and so need; and what operations do to store buffers. */
void saw_prepare(const struct small *s);
bool saw_needs(int event, int before);
bool saw_wants_signal(int event);
bool store_waits(const struct small_event *e);          /* in a buffer, under TSO and PSO */
bool spin_unlock(const struct small_event *e);          /* it waits too: until it is in memory the lock is taken */
bool saw_empties(int event);                            /* its thread's buffer, before it goes */
bool stores_ordered(const struct small *s, enum brute_model model, int first, int second);      /* of one thread, first made before second */

/* brute.c: all interleavings of the run prepared.  Can b happen for the others while a has not; and can all follow when it does? */
struct brute { bool can, can_complete; };
void brute_prepare(const struct small *s, enum brute_model model);      /* saw_prepare() too */
void brute_loosely(const struct small *s, enum brute_model model);      /* the same, with answers left open as machine.h has it */
struct brute brute_reverse(int a, int b);
bool brute_adjacent(int a, int b);                      /* can both be next at once? */
/* Can b and d have come as far as to be next, while neither a nor c has happened? */
bool brute_both(int a, int b, int c, int d);
/* Can event `read` be next while memory, or its own thread's buffer, has what is asked for, the reads of `kept` (a bit each) having returned their
 * values?  Asked for: what event `from` wrote, or from < 0: `value`.  After brute_prepare(), under its model. */
struct brute_read { int read, from, value[2]; uint32_t kept; int beside; };    /* beside: 0, or 1 + an event that is to be next too, whatever memory has */
bool brute_reads(const struct small *s, const struct brute_read *q);
bool brute_without(int b, int a);                       /* can b have been made while a has not? */
bool brute_refused(int e);                              /* a lock that was tried for: can it be next while another thread has it? */
bool brute_ends(void);                                  /* can all of them happen at all? */
bool brute_stuck(void);                                 /* is there a state from which not all can follow? */

/* smt.c: the same question as a formula, after saw_prepare(). */
struct brute smt_reverse(const struct small *s, enum brute_model model, int a, int b);
bool smt_reads(const struct small *s, enum brute_model model, const struct brute_read *q);

/* values.c: what an access does to byte i, and of which bytes of memory (two of each variable and of each atomic cell). */
bool small_reads(const struct small_event *e);
bool small_writes(const struct small_event *e);
#define MOST_BYTES 8
int small_byte(const struct small_event *e, int i);     /* 0 .. MOST_BYTES - 1; -1: not touched */

#endif
