/* trace/census.h -- one pass over a trace that counts: kinds, threads, locks, shared variables, waits, calls outside.
 * raddle info prints it; nothing here judges. */
#ifndef RADDLE_TRACE_CENSUS_H
#define RADDLE_TRACE_CENSUS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "trace/objects.h"
#include "trace/uncovered.h"

struct census_thread {
	uint64_t events, reads, writes, locks;
	bool ended;
	uint8_t waits_kind;             /* at the end, or 0: what it waits for, */
	uint64_t waits_for;             /* which one, */
	const struct place *waits_at;   /* and where */
	struct thread_id waits_on;      /* who holds the lock or is to be joined; NO_THREAD unknown */
	const struct place *last_at;    /* of its last event that has a place */
};

struct census_lock {
	uint64_t address;
	const char *name;
	uint32_t type;                  /* enum lock_type or 0 */
	uint64_t taken, contended, failed;
	uint32_t threads;               /* different threads that took it */
	struct thread_id owner;         /* at the end; NO_THREAD: free, or read-locked */
	uint32_t depth, readers;        /* at the end */
	const struct place *owner_at;
	struct thread_id last;
};

struct census_variable {
	const char *name;
	uint64_t reads, writes, atomics;                /* all of them */
	uint64_t shared_reads, shared_writes;           /* of words that two threads touched and one wrote */
	uint64_t shared_words;
	uint64_t threads_low;                           /* bits: threads 0..63 */
	uint32_t threads;                               /* different threads */
	struct thread_id last;
	const struct place *write_at, *read_at;         /* a place that writes it, a place that reads it; or NULL */
};

struct census {
	uint64_t events, lost;
	bool cut_short;                                 /* not all events were looked at */
	uint64_t kinds[EV_COUNT];
	VEC(struct census_thread) threads;
	VEC(struct census_lock) locks;                  /* most taken first */
	VEC(struct census_variable) variables;          /* most accesses to shared words first */
	uncovered_calls calls;                          /* that led into no instrumented code, most first */
	uncovered_hands hands;                          /* those of them that handed over a pointer others may have, most first */
	uint64_t first_time, last_time;
	bool failed, exited;                            /* a FAILURE, an EXIT was seen */
	struct thread_id end_thread;
	const struct place *end_at;
	uint64_t end_value;                             /* signal number or exit code */
	char end_text[512];                             /* of a FAILURE */
	struct arena arena;
};

/* 0, or -1 and why: what was counted before the damage stands.  `go_on`, if not NULL, is asked every million events or so,
 * with how many were counted; when it says no the count ends there and `cut_short` is set. */
int  census_take(struct census **out, struct trace *t, bool (*go_on)(uint64_t events), struct err *why);
void census_free(struct census *c);                     /* NULL is fine */

#endif
