/* trace/verify.h -- does a trace hold together?  One pass that asks of every recorded fact whether the others allow it.
 *
 *   locks      taken by one thread at a time, given back by their holder; condition waits give up and retake theirs
 *   threads    begin after their fork, end once, are joined after their end; barriers, semaphores
 *   versions   rise on each stripe; none is given twice; in a total order, so do the numbers of all events
 *   values     each read returns what a recorded write left there, or something raddle is known not to see
 *
 * A read that no order of the recorded events explains is a problem; where the order is total, there is one order to explain it,
 * and the last write must.  One that code raddle did not see may explain is an
 * unseen writer, counted by site.  Which code can have written what: verify_calls.c; which writes a read may see:
 * verify_memory.c. */
#ifndef RADDLE_TRACE_VERIFY_H
#define RADDLE_TRACE_VERIFY_H

#include "base/arena.h"
#include "base/vec.h"
#include "trace/reader.h"

enum verify_rule { RULE_LOCK, RULE_THREAD, RULE_VERSION, RULE_COND, RULE_BARRIER, RULE_SEM, RULE_FLUSH, RULE_VALUE, RULE_COUNT };
extern const char *const verify_rule_words[RULE_COUNT];         /* "lock", "thread", ... */

struct verify_problem {
	enum verify_rule rule;
	struct thread_id thread;        /* whose event it is, */
	uint64_t index;                 /* which one, */
	const struct place *place;      /* and where */
	uint64_t object;
	const char *name;               /* of the variable or object */
	const char *text;               /* what is wrong, without the place */
	/* RULE_VALUE */
	uint64_t value, expected;
	unsigned size;
	struct thread_id writer;        /* NO_THREAD: nobody is known */
	const struct place *writer_place;       /* or NULL */
	uint64_t writer_seq;            /* its place in the merged order + 1, 0 none */
};

/* Why a read has its value, best first. */
enum verify_cause { BY_OWN_WRITE, BY_OTHER_WRITE, BY_LIBRARY, BY_RACE, BY_FRESH, BY_INITIAL, BY_SIGNAL, BY_UNSEEN, CAUSE_COUNT };
extern const char *const verify_cause_words[CAUSE_COUNT];       /* "own_write", ... */

struct verify_site {                    /* a place whose reads somebody unseen explains */
	const struct place *place;
	const char *name;               /* what was read, the first time */
	uint64_t reads;
	uint64_t value, expected;       /* of the first; expected only if `known` */
	bool known;
	struct thread_id thread;
};

struct verify {
	uint64_t events, reads;                         /* reads: plain, atomic and by library calls, with values */
	uint64_t causes[CAUSE_COUNT];
	uint64_t valueless;                             /* reads whose value was not recorded */
	uint64_t locks, unknown_calls;
	uint64_t problem_count;                         /* all of them; problems[] has the first ones */
	VEC(struct verify_problem) problems;
	VEC(struct verify_site) unseen;                 /* most reads first */
	VEC(struct { const char *name; uint64_t calls; }) outside;      /* calls that may have written anything, most first */
	const char *undecided;                          /* why the answer is not whole, or NULL */
	struct arena arena;
};

/* 0, or -1 and why: the trace is damaged. */
int  verify_take(struct verify **out, struct trace *t, struct err *why);
void verify_free(struct verify *v);                     /* NULL is fine */

#endif
