/* analyses/check/space.h -- states of the program its threads' trees make together, and the steps from each. */
#ifndef RADDLE_ANALYSES_CHECK_SPACE_H
#define RADDLE_ANALYSES_CHECK_SPACE_H

#include "analyses/check/threads.h"

#define NOBODY UINT32_MAX

struct space {                          /* the shape of states, until `grown` */
	struct threads *threads;
	uint32_t thread_count, lock_count, cell_count, model;
	size_t bytes;                   /* of a state, but for stores that wait (pending.h); */
	size_t most_bytes;              /* with as many of them as there may be */
	uint32_t *came_back;            /* or NULL: gets the DEED_BACK a thread comes by */
};

struct state;                           /* space_bytes() of them; equal bytes, equal future */
size_t space_bytes(const struct space *s, const struct state *at);

#define TIMES_OUT (UINT32_MAX - 1)
/* woken: by a signal, made the serial thread of a barrier; the number chosen; or NOBODY; or it TIMES_OUT; or STEP_STORE(i): its i-th store reaches memory */
struct step { uint32_t thread, woken; };
#define STEP_STORE(i)       (0x4000u + (i))
#define STEP_IS_STORE(step) ((step).woken >= 0x4000u && (step).woken < 0x8000u)
typedef VEC(struct step) steps;
/* What a way through the states did, in order: nodes done, for a schedule.  choice: which waiter a signal woke or was made the serial one,
 * NOBODY: no choice, DONE_STORE: its store reached memory; points: of the thread, passed by it; late: the first of them is answered that its time is up;
 * drains: no store of the thread waits after it. */
struct done { uint32_t node, choice, points; bool late, drains; };
#define DONE_STORE (NOBODY - 1)
typedef VEC(struct done) doings;

void space_shape(struct space *s, struct threads *t);
void space_begin(const struct space *s, struct state *into, doings *log);       /* log may be NULL, here and below */
/* Does what nobody notices, as far as it is known by now. */
void space_settle(const struct space *s, struct state *at, doings *log);
/* Every step of a settled state; *unknown: one of a thread that may go on, but nobody knows to what, or of NOBODY. */
void space_steps(const struct space *s, const struct state *at, steps *out, struct step *unknown);
void space_take(const struct space *s, struct state *at, struct step step, doings *log);
uint32_t space_node(const struct state *at, uint32_t thread);   /* NO_NODE: not begun */
/* The state with threads that are never told anything and are alike put in order: equal for states that differ only in which of them came how far. */
void space_alike(const struct space *s, const struct state *at, struct state *out);
/* Is some thread at the beginning of a loop, and does whoever can go only come back to where it is?  room: for another state. */
bool space_spins_in_vain(const struct space *s, const struct state *at, struct state *room);
bool space_is_at_head(const struct space *s, const struct state *at, uint32_t thread);  /* of a loop */
bool space_is_unknown(const struct space *s, uint32_t node);            /* no run has shown what a thread does there */
/* Does some thread go no further, though the program has not ended?  Then the behaviour is none. */
uint32_t space_inside(const struct space *s, const struct state *at);   /* the thread that is in an atomic section, so that no other goes on; or NOBODY */
uint32_t space_after(const struct space *s, const struct state *at, uint32_t node);     /* where an access made now leads; NO_NODE: not known */
bool space_is_discarded(const struct space *s, const struct state *at);
bool space_is_over(const struct space *s, const struct state *at);      /* the program has ended */
/* Does the access its thread is about to make, or a store that waits, write?  A compare-exchange that would fail reads. */
bool space_writes(const struct space *s, const struct state *at, uint32_t node);
/* Where a thread was told something last, or did what others could notice: the same for all runs of one class. */
uint32_t space_anchor(const struct space *s, uint32_t node);

#endif
