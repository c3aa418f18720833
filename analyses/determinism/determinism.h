/* analyses/determinism/determinism.h -- could this run have gone otherwise?
 *
 * Two events are dependent when they touch the same bytes from different threads and one of them writes; also output to one
 * file, and numbers drawn from one generator.  Of every (place, place, object) that has dependent events, one question: can
 * any two of them happen the other way round (order/)?  If none can, every run with the same input does the same. */
#ifndef RADDLE_DETERMINISM_DETERMINISM_H
#define RADDLE_DETERMINISM_DETERMINISM_H

#include "analyses/determinism/commute.h"
#include "base/arena.h"
#include "order/order.h"
#include "trace/objects.h"

enum verdict { VERDICT_DETERMINISTIC, VERDICT_ORDER_DEPENDENT, VERDICT_UNKNOWN };

struct pair_end { struct spot spot; uint64_t index; const struct place *place; uint8_t kind; bool writes; };

struct pair {                                   /* of a place, a place and an object */
	enum order_answer answer;               /* NO irreversible, YES reversible, STUCK then deadlock, UNKNOWN */
	bool skips;                             /* of STUCK: the wait behind it that nothing would end is one the program may then not begin: what it asked for holds */
	bool waits;                             /* all of `stuck` wait for each other, these two among them */
	bool same;                              /* some of its events can change places, and the outcome is the same: they commute */
	bool asked;                             /* false: every pair of events was ordered by threads and synchronisation */
	uint64_t times;                         /* questions asked of it, */
	uint32_t hard;                          /* and those of them that were too hard */
	struct pair_end first, second;          /* as observed: the two the answer is about */
	const char *object;                     /* name */
};

struct reason { const char *text; const struct place *where; uint64_t times; };

struct determinism {
	struct trace *trace;
	struct order *order;
	enum verdict verdict;
	uint64_t events, accesses;
	struct pair *pairs; uint32_t pair_count;
	uint32_t reversible, deadlock, skips, unknown, same;   /* same: no other than pairs that commute */
	struct reason *reasons; uint32_t reason_count;          /* why it cannot be known */
	struct arena names;
	struct order_stuck stuck;
	struct order_cycles closed;             /* deadlocks that were thought of and cannot be */
	uint64_t sum;                           /* of the trace, once a refutation was written */
};

/* 0, or -1 and why.  Release it either way.  updates(with): what the code says of the program's updates, asked for when it may matter; NULL: nothing. */
struct determinism_updates { struct commute *(*open)(void *with); void *with; };
int  determinism_run(struct determinism *d, struct trace *t, const struct determinism_updates *updates, struct err *why);
/* The witness of a reversible pair as a schedule for raddle replay.  0; 1 the trace is of no steered run; -1 and why. */
int  determinism_schedule(struct determinism *d, const struct pair *p, const char *path, struct err *why);
/* Why an irreversible pair is, or why a reversal can only end in deadlock, for raddle-verify.  0; 1 the question ran out of its budget; -1 and why. */
int  determinism_refute(struct determinism *d, const struct pair *p, const char *path, struct err *why);
/* Why those of a closed cycle cannot all wait for each other.  The same. */
int  determinism_refute_cycle(struct determinism *d, const struct order_stuck *cycle, const char *path, struct err *why);
/* The same of a reversal into a deadlock, its steps alone; or in words.  One of the two is NULL. */
enum order_answer determinism_whole(struct determinism *d, const struct pair *p, FILE *out, FILE *explain);
/* Something else that makes it not known. */
void determinism_doubt(struct determinism *d, const char *text);
/* golden.c: does another run of the program do what the first did, values of updates that commute aside?  1; 0 text says how not; -1 and why. */
int  golden_compare(struct trace *first, struct trace *other, const struct determinism_updates *updates, char *text, size_t room, struct err *why);
void determinism_release(struct determinism *d);

#endif
