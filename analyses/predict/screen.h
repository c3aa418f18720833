/* analyses/predict/screen.h -- the first look at a trace: which memory, and which locks, are worth a second one.
 *
 * While the events are read for the first time, with the clocks of order/ and the sets of locks held, each 8 bytes of memory have a state
 * of 32 bytes and no more, whatever happens to them:
 *   (1) the *base* is an access; all before it are ordered before it, in every run that keeps what was met before;
 *   (2) *more* are the accesses behind it: their threads, and the locks that all of them held;
 *   (3) and the locks held by all accesses there ever were.
 * An access that comes after the base and after all of more (clocks), or that shares a lock with all it may conflict with, conflicts with
 * nothing.  Otherwise the memory is *marked*.  So marked memory is all in which two accesses are neither ordered nor kept apart by a lock, and some
 * more: which pairs they are, and whether they can be, is for the second look (collect.c) and for order/.
 * A read counts the locks it holds in any way, a write those it holds alone.
 *
 * Of locks: which were taken while which were held, and held while a thread waited for something that is no lock.  A lock is *hot* when a circle
 * of waiting threads may go through it (waits.c). */
#ifndef RADDLE_PREDICT_SCREEN_H
#define RADDLE_PREDICT_SCREEN_H

#include "analyses/predict/locksets.h"
#include "order/order.h"
#include "trace/objects.h"

#define SCREEN_RANGE (1u << 20)                 /* bytes of one library call, or of a block given back, that are looked at */
#define SCREEN_UNMAPPED (1u << 30)              /* the same of a mapping */

#define SCREEN_WANTED 1024u                     /* wishes for locks found without asking the maps, a power of 2 */
#define SCREEN_AHEAD 16u                        /* accesses whose states are fetched from memory before they are looked at, a power of 2 */

struct watch;                                   /* the state of 8 bytes */
struct lock_edge { uint32_t held, wanted; };    /* numbers */
struct crossed { uint64_t index, time; };
struct screen {
	bool shared;                            /* what is shared is marked, whatever locks were held */
	struct order *order;                    /* being built */
	struct objects *objects;
	struct locksets locks;
	struct map pages;                       /* address / 4096 -> struct watch [512] */
	struct page_seen { uint64_t number; struct watch *page; } *recent;
	uint32_t *touched;                      /* by thread: its spot when it last touched memory */
	/* Accesses that were noted and have yet to change the states, oldest first: [done .. noted) */
	struct touch_later { struct watch *watch; uint32_t thread, at, locks; bool writes, plain; } later[SCREEN_AHEAD];
	uint64_t noted, done;
	uint32_t thread_count;
	uint64_t accesses, marked;              /* marked: how many times 8 bytes */
	bool handlers;                          /* signal handlers ran */
	bool timed;                             /* somebody waited, or tried, up to a time: what came before it ended need not come */
	bool interruptible;                     /* somebody waited where a handler ends the wait */
	bool waits;                             /* somebody waited for what is no lock and no end of a thread, */
	bool tries;                             /* or tried for a lock or a semaphore, and had it */
	struct map edges, lock_number;          /* (held, wanted) -> 1; lock -> number + 1 */
	VEC(struct lock_edge) taken;
	struct wanted_seen { uint64_t lock; uint32_t set; } wanted[SCREEN_WANTED];       /* hot.c: some that were wanted while these were held */
	VEC(bool) hot;                          /* by number; locks held while waiting, until screen_end() */
	struct sems_held { VEC(uint64_t) all; } *sems;  /* by thread */
	struct outside { VEC(struct crossed) out, in; } *outside;       /* by thread: when something went out or came in, other than to standard output */
};

void screen_begin(struct screen *s, struct trace *t, struct order *o, bool shared);
/* Every event, behind order_note(), which said where it stands. */
void screen_note(struct screen *s, const struct event *ev, struct spot spot);
void screen_end(struct screen *s);              /* from here on it can be asked */
bool screen_marks(const struct screen *s, uint64_t address);    /* are the 8 bytes this is in worth a look? */
uint64_t screen_next(const struct screen *s, uint64_t at, uint64_t end);        /* the first such address from `at` on, or end */
bool screen_hot(const struct screen *s, uint64_t lock);
/* Did the thread of the first event send something outside behind it, and the other one get something after that and before its own?  Then whoever is there
 * may keep the two in order. */
bool screen_outside(const struct screen *s, uint32_t first_thread, uint64_t first, uint32_t second_thread, uint64_t second);
bool screen_any_wait(const struct screen *s);   /* may there be circles of waiting threads at all, or signals that are lost? */
void screen_release(struct screen *s);

void screen_lock_event(struct screen *s, const struct event *ev);      /* hot.c: of screen_note() */
void screen_catch_up(struct screen *s);         /* nothing is in later[] any more */

/* ---- what both looks see in an event ---- */
struct touched { uint64_t start, bytes; bool writes; };
/* What an event touches, first what it reads: how many of two.  Whoever uses a lock touches it; whoever gives memory back touches all of it. */
uint32_t event_touches(const struct event *ev, const struct objects *objects, struct touched out[2]);
/* Which bytes begin a new life with it: what touched them before touched something else.  Before objects_note(). */
struct touched event_renews(const struct event *ev, const struct objects *objects);

#endif
