/* order/order.h -- what else could have happened: feasible orders of one recorded run.
 *
 * A run is a row of events per thread.  Most of them (plain accesses) order nothing; the others are *nodes*: threads created
 * and joined, locks, condition variables, barriers, semaphores, once, atomics that release or acquire.  A *prefix* says for
 * each thread how many of its nodes it has done.  A prefix is *feasible* if its nodes can be laid in one row in which each
 * thread keeps its program order and every primitive's rule (docs/order.md) holds at every step.  A prefix may end anywhere,
 * in front of a deadlock too: only what a question needs has to happen.
 *
 * Where a thread stands is a *spot*: (thread, nodes done).  All questions have one form: is there a feasible prefix in which
 * these threads have come at least this far, and those at most that far?
 *   can b precede a            b's thread at b's spot or further, a's thread not past a's spot
 *   can a and b be adjacent    both threads exactly at their spots
 *   can these threads all wait each exactly in front of the event it waits at
 *   can read r return value v  its thread exactly at r's spot, memory (or its own store buffer) holding v there, the reads that matter unchanged (reads.c)
 * An event asked about is not bound by its own outcome (which write a read saw, which holder a failed trylock met): the
 * question is whether that outcome could have been another one.  Events *before* it keep theirs.
 *
 * Tiers, cheapest first; each is exact when it answers:
 *   (1) must-order clocks, kept per trace (must.c): what a spot needs in every run.  If that is past a limit: no.
 *   (2) the observed order, restricted to what is needed, closing what must be closed (near.c): if it breaks no rule: yes.
 *   (3) saturation: what the limits force (a section that cannot be closed comes last, ...) as edges; a cycle: no (search.c).
 *   (4) case split over the rules that a greedy completion in observed order runs into, with (3) inside.  Rules become
 *       clauses only when run into, so a question costs what is wrong around it and not the length of the trace.
 *   (5) where conditions are waited for, all states the threads can come to, while there is room for them (states.c).
 *   (6) CaDiCaL on the same clauses when there are many, cycles added as they are met (solve.c).
 *
 * Every yes has a witness, replayed by check.c, which shares nothing with (1)-(6), before it is handed out: one that fails
 * is our bug and aborts.  Every no says which rules closed it.  What is not modelled is listed by order_unmodelled(); while
 * something is, a no is a no under the rules only.
 *
 * Clocks, sections and per-object lists are built once and serve any number of questions; a question allocates in its own
 * scratch memory, which is kept for the next. */
#ifndef RADDLE_ORDER_ORDER_H
#define RADDLE_ORDER_ORDER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "trace/reader.h"

struct order;                                   /* one trace */
enum order_model { ORDER_SC, ORDER_TSO, ORDER_PSO };

#define NO_NODE UINT32_MAX
struct spot { uint32_t thread, at; };           /* `at` nodes of that thread are done */

/* ---- building: every event of the trace, in merged order, then seal ---- */
struct order *order_new(const struct trace *t);                 /* never NULL */
/* The same; order_stand() knows TSO and PSO too.  Of a spin lock that refused somebody it knows no SC: its unlock may wait, as under TSO. */
struct order *order_new_weak(const struct trace *t);
/* An order for questions about values under this model alone: order_note_access() tells when each store is made from when it is in memory. */
struct order *order_new_stores(const struct trace *t, enum order_model model);
struct spot order_note(struct order *o, const struct event *ev);        /* where it stands; order_row() and order_before() serve already */
/* order_note() of a read-modify-write whose result nobody uses: it learns nothing from what it meets, which may be another update in another
 * order, and hands on what it would have. */
struct spot order_note_blind(struct order *o, const struct event *ev);
/* The lock taken at this spot, noted just now, was only tried for: it could have been refused. */
void order_note_tried(struct order *o, struct spot spot);
void order_seal(struct order *o);                               /* questions from here on */
void order_free(struct order *o);                               /* NULL is fine */

uint32_t order_nodes(const struct order *o);
/* What the trace holds that no rule covers: its i-th name ("futex by hand"), where it was first met, how often; NULL past the last. */
const char *order_unmodelled(const struct order *o, uint32_t i, const struct place **where, uint64_t *times);

/* Does the recorded order itself break the rules?  What is wrong and where (may be NULL); then no question has a no, and a yes is a guess
 * (order_ask()).  NULL: it keeps them. */
const char *order_broken(const struct order *o, const struct place **where);

/* ---- walking: the same events in the same order once more, with the spot each stands at (in front of itself) ---- */
struct order_walk;
struct order_walk *order_walk_begin(const struct order *o);
struct spot order_walk_next(struct order_walk *w, const struct event *ev);
void order_walk_end(struct order_walk *w);                      /* NULL is fine */

/* The locks held at a spot, those others cannot hold at the same time: numbers, at most `room` of them.  How many there are. */
uint32_t order_locks_at(const struct order *o, struct spot spot, uint32_t *locks, uint32_t room);

/* Must the event at `a` come before the one at `b`, by program order, threads and synchronisation, whatever locks do?  O(1). */
bool order_before(const struct order *o, struct spot a, struct spot b);
/* Is more in order than must be, so that order_before() may say yes of two that could change places?  Then no question is answered with a no. */
bool order_overordered(const struct order *o);
/* The row order_before() looks at for everything at spot b: row[t] > at means (t, at) comes before.  Other threads than b's only. */
const uint32_t *order_row(const struct order *o, struct spot b);

/* ---- questions ---- */
enum order_answer { ORDER_NO, ORDER_YES, ORDER_STUCK, ORDER_UNKNOWN };   /* STUCK: yes, and it cannot be completed */

/* Nodes in the order they happen: those below `head` as observed, then node[], then those from `tail` on as observed.
 * It is as short as what differs from the observed order, not as long as the trace. */
struct witness {                                /* order_witness_release() it */
	uint32_t head, tail;                    /* tail: order_nodes(), nothing follows */
	uint32_t *node, count;
	bool stuck;                             /* from here not all of the trace's events can follow */
	bool guess;                             /* of a broken order (order_broken()): nothing was checked */
};
void order_witness_release(struct witness *w);

struct question {
	const struct spot *reach; uint32_t reach_count;         /* at least so far */
	const struct spot *limit; uint32_t limit_count;         /* at most so far */
	uint64_t budget;                        /* steps of case split before SAT takes over; 0: the default */
	struct witness *witness;                /* or NULL */
	FILE *explain;                          /* or NULL: why not, line by line */
};
/* NO, YES or UNKNOWN.  UNKNOWN of a broken order may leave a witness that is a guess. */
enum order_answer order_ask(struct order *o, const struct question *q);

/* What all questions so far have cost, in nodes laid in a row, rules and ways looked at: the same for the same questions. */
uint64_t order_spent(const struct order *o);

/* Asked now and then while a question is thought about; once it says no, the answer is UNKNOWN.  NULL: never. */
void order_watch(struct order *o, bool (*goes_on)(void *with), void *with);

/* Asks again, and writes how the no was come to: rules and steps of a refutation (docs/refutation-format.md), for a checker that
 * shares nothing with this one.  The head of the file, what is claimed, is the caller's.  NO, or no refutation was written. */
enum order_answer order_refute(struct order *o, const struct question *q, FILE *out);

/* ---- questions about values: of accesses that were noted by order_note_access() ---- */

/* order_note() of an access (a read, a write, an atomic, a library call; an allocation writes what nobody knows) that makes it a
 * node, which is handed back.  All that may write where reads of a question read must be noted so. */
uint32_t order_note_access(struct order *o, const struct event *ev);
/* What lies there before the first event, where the caller knows; else the first read of a byte nobody wrote yet tells. */
void order_first_values(struct order *o, uint64_t address, const uint8_t *bytes, uint32_t count);

/* Under TSO and PSO (order_new_stores()) a read returns its own thread's newest store to each byte while that waits, else what is in memory.
 * UNKNOWN there also where the no hangs on a store that reaches memory word by word: one of more than 8 bytes, a memcpy.
 * Can `read` return what `from` wrote (every byte the two share), or `value` (as many bytes as it reads), while all reads before
 * it that matter return what they returned?  Exactly one of `from` and `value`: NO_NODE, NULL. */
enum order_fit { FIT_SAME, FIT_YES, FIT_NO };           /* SAME: if the bytes are those it returned */
struct order_read {
	uint32_t read, from;                            /* nodes */
	const uint8_t *value;
	bool (*keeps)(void *context, uint32_t node);    /* does this read matter?  NULL: all do */
	/* May it also return what this node wrote (NO_NODE: what was there first)?  value: of all bytes it reads, NULL where that is not known
	 * or others wrote some of them.  NULL: no read may. */
	enum order_fit (*fits)(void *context, uint32_t node, uint32_t write, const uint8_t *value);
	void *context;
	uint64_t budget;                                /* as of a question */
	bool bold;                                      /* a value that was not recorded is another one: the no that hangs on it is one */
};
/* The witness ends in front of the read.  UNKNOWN also where the answer hangs on a value that was not recorded. */
enum order_answer order_reads(struct order *o, const struct order_read *q, struct witness *witness, FILE *explain);

/* order_refute() of it; what is claimed is written too.  Not where order_first_values() was told what the trace does not say. */
enum order_answer order_refute_reads(struct order *o, const struct order_read *q, FILE *out);

/* order_ask(), with all reads that matter (keeps, fits, context, bold; the rest of `reads` is not looked at) returning what they returned. */
enum order_answer order_ask_keeping(struct order *o, const struct question *q, const struct order_read *reads);

/* order_ask_keeping() of all reads, boldly, by one table for all questions: true, its answer is NO.  False: it is to be asked. */
bool order_kept_apart(struct order *o, const struct question *q, FILE *explain);

/* ---- memory models ----
 * Under TSO and PSO a store waits in its thread's buffer before it happens for the others: it has no spot of its own but can
 * happen once reach[] are reached, and no later than limit[].  A weak order has a line for each thread's buffer, number
 * `threads of the trace + thread`, of the moments at which releases reach memory (docs/order.md). */
struct stand { struct spot reach[2], limit[2]; uint32_t count; };
struct stand order_stand_at(struct spot spot);          /* under SC, and of what waits in no buffer */
struct stand order_stand(const struct order *o, enum order_model model, const struct event *ev);  /* sealed; but for SC, of an order_new_weak() */
/* Can there be a moment at which all of reached[] have happened or can happen next, and none of open[] has?  Of one thread, open[] may
 * hold stores that wait while the thread has come to reached[]; other events of one thread are not asked about each other.
 * UNKNOWN under PSO for two stores of one thread with one between them that covers bytes of several. */
enum order_answer order_moment(struct order *o, enum order_model model, const struct event *const *reached, uint32_t reached_count,
	const struct event *const *open, uint32_t open_count, struct witness *witness);
/* Two events of different threads, observed a then b: can b come first?  NO; YES, and all other events follow; STUCK; UNKNOWN. */
enum order_answer order_reversible(struct order *o, struct stand a, struct stand b, struct witness *witness, FILE *explain);
enum order_answer order_adjacent(struct order *o, struct stand a, struct stand b, struct witness *witness);     /* one next to the other? */
/* order_refute() of the no of order_moment(); what is claimed is written too. */
enum order_answer order_refute_moment(struct order *o, enum order_model model, const struct event *const *reached, uint32_t reached_count,
	const struct event *const *open, uint32_t open_count, FILE *out);
/* order_refute() of STUCK: all events of the run, b before a.  The claim is the caller's.  One of the two: out, or explain, line by line. */
enum order_answer order_refute_whole(struct order *o, struct stand a, struct stand b, FILE *out, FILE *explain);

/* ---- what a node is, for those who print or replay witnesses ---- */
/* A FLUSH: the release that is event `index` of `thread` reaches memory. */
struct order_node { uint32_t thread, at; uint8_t kind; bool real; uint64_t index, object; const struct place *place; };
struct order_node order_node(const struct order *o, uint32_t node);     /* real: an event of the trace, kind and index are its */

uint32_t order_at(const struct order *o, struct spot spot);             /* the node in front of which it stands, or NO_NODE */
struct order_node order_node_at(const struct order *o, struct spot spot);       /* the one in front of which it stands */
struct spot order_spot(const struct order *o, uint32_t thread, uint64_t index); /* where event `index` of a thread of the trace stands */

/* Outcomes that other orders could change, besides plain memory: pairs (holder, failed trylock), (runner of once, one who
 * came late), (wait, the last signal it could have had)...  The i-th; false past the last. */
struct order_choice { struct spot first, second; uint64_t object; const char *what; const struct place *places[2]; };
bool order_choice(const struct order *o, uint32_t i, struct order_choice *c);
/* The i-th lock that was tried for and had, and could another thread have held it then?  NO, YES or UNKNOWN, and where it was tried.  False past the last. */
bool order_tried(struct order *o, uint32_t i, enum order_answer *refused, const struct place **where);
/* Can these events get stuck?  NO: every run of them ends as observed.  YES: *found says who waits where, each for the next.  UNKNOWN:
 * locks are taken in orders, or semaphores by threads, that may get stuck and are not decided. */
#define STUCK_MOST 8u
struct order_stuck { struct spot spot[STUCK_MOST]; uint32_t count; };
struct order_cycles { struct order_stuck *at; size_t count, room; };    /* all zero: none; vec_release() it */
/* closed, or NULL: the cycles that were asked about and cannot be. */
enum order_answer order_deadlock(struct order *o, struct order_stuck *found, struct order_cycles *closed);
/* order_refute() of one of those: they cannot all stand there.  What is claimed is written too. */
enum order_answer order_refute_cycle(struct order *o, const struct order_stuck *cycle, FILE *out);

#endif
