/* tests/races/made.h -- random runs of all primitives, and what happens before what in them by brute force. */
#ifndef TESTS_RACES_MADE_H
#define TESTS_RACES_MADE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/event.h"

#define MADE_EVENTS  96                          /* room; runs of up to 60 are asked for, and may end with stores that reach memory */
#define MADE_THREADS 4

struct made {
	int count, threads;
	bool tidy;                              /* no trylock that failed, all atomics of one size, no plain write among them */
	struct event ev[MADE_EVENTS];
	struct place place[MADE_EVENTS];        /* line = number of the event + 1 */
	uint64_t source[MADE_EVENTS];           /* of a copy, or old address of a realloc: payload */
};

/* unlocked: what order/ has must-edges for, and no more; weak: stores wait, and reach memory as events (FLUSH) */
enum made_what { MADE_ALL, MADE_UNLOCKED, MADE_WEAK };
void made_random(struct made *m, enum made_what what, int events, uint64_t *seed);
void made_print(const struct made *m);

/* closure.c: edges from the definitions, then their transitive closure; O(events^3).  Shares nothing with drive/ or order/. */
struct closure { bool before[MADE_EVENTS][MADE_EVENTS], by_locks; };     /* by_locks: among it what a thread learns from a lock that it takes */
void closure_of(const struct made *m, struct closure *c);
bool closure_races(const struct made *m, const struct closure *c, int a, int b);       /* a < b */

#endif
