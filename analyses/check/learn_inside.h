/* analyses/check/learn_inside.h -- what learn.c, learn_sync.c and loops.c share: one run being learned from. */
#ifndef RADDLE_ANALYSES_CHECK_LEARN_INSIDE_H
#define RADDLE_ANALYSES_CHECK_LEARN_INSIDE_H

#include "analyses/check/scopes.h"
#include "analyses/check/seen.h"
#include "analyses/check/threads.h"
#include "trace/event.h"
#include "trace/reader.h"

struct point { uint16_t kind, how; uint64_t state; };           /* as in struct steer_event */
typedef VEC(struct point) points;

/* Something a thread looked at in a round of a loop, from which node, and hashes of where and of what it was told there. */
struct look { uint32_t node; uint64_t state, place, told; };
typedef VEC(struct look) looks;

/* Rounds of a loop that leaves something behind each time: where one begins, what was told in this one and in the one before it, how many in a
 * row were told the same.  The beginning is guessed anew when it was not come to for `patience` looks. */
struct trips { uint64_t state, place, told, before; uint32_t same, looks, patience; bool wrote; };

struct learning {
	struct threads *t;
	points all[MAX_THREADS];        /* points of each thread */
	struct trace *trace;
	uint32_t at[MAX_THREADS];
	uint64_t points[MAX_THREADS];   /* passed so far, */
	uint64_t next[MAX_THREADS], number[MAX_THREADS];        /* the next of `all`; the record the last one belongs to */
	uint64_t join_points[MAX_THREADS], joins[MAX_THREADS];  /* points of joins, and joins that came back */
	uint64_t before[MAX_THREADS];   /* points, at the last deed; */
	uint64_t followed[MAX_THREADS]; /* at the last of a library function that was followed */
	uint16_t how[MAX_THREADS];      /* of the last one passed; */
	uint64_t state[MAX_THREADS];    /* the same */
	looks rounds[MAX_THREADS];      /* since it did something else (loops.c); */
	struct trips trips[MAX_THREADS];
	uint32_t head[MAX_THREADS];     /* the beginning of the loop it goes round in, or NO_NODE */
	struct seen memory;             /* as threads see it */
	struct scopes scopes;           /* what they have as their own */
	uint64_t fresh_at, fresh_bytes; /* the block allocated by the event before, if one was */
	uint64_t made_at, made;         /* the semaphore or barrier made by the event before, and enum lock_type */
	uint32_t joined[MAX_THREADS];   /* thread whose end the event before was about + 1 */
	uint32_t others;                /* threads that were created and have not ended */
	uint32_t children[MAX_THREADS]; /* threads each has created */
	uint32_t allocates;             /* thread that allocated among others + 1 */
	struct map freed;               /* addresses of blocks that were, if they are given out again */
	VEC(uint32_t) branches;         /* nodes that were told otherwise than in other runs */
};

void learn_trouble(struct threads *t, const struct event *ev, const char *what);        /* the first is kept */
/* The thread did this, and was told that. */
void learn_did(struct learning *l, uint32_t thread, const struct event *ev, struct node deed, uint64_t told, uint64_t written);

/* learn_sync.c: events of locks, conditions, semaphores, barriers and onces.  False: it is none of them. */
bool learn_sync(struct learning *l, uint32_t thread, const struct event *ev);
/* A library function has written this: what a semaphore or barrier is when it is made.  False: it is nothing of the kind. */
bool learn_made(struct learning *l, uint32_t thread, const struct event *ev);
/* What a thread that stands at a point was about to do, if what was learned does not know it. */
void learn_waiting(struct learning *l, uint32_t thread, const struct steer_thread *x, uint32_t other);
/* loops.c: in front of what a thread does when it only looks; behind it; and when it does anything else. */
void loops_come(struct learning *l, uint32_t thread, const struct event *ev);
void loops_looked(struct learning *l, uint32_t thread, const struct event *ev, uint32_t node, uint64_t told);
void loops_leave(struct learning *l, uint32_t thread);
bool deed_is_told(const struct node *n);                /* by other threads, and not by memory */

#endif
