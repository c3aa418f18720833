/* analyses/predict/locksets.h -- which locks each thread holds while a trace is read, as numbers: one for each set that was ever held.
 * Two accesses under one lock, not both of them readers of it, are never adjacent: asked in O(1), once for two sets.  What two sets have
 * in common is a set again. */
#ifndef RADDLE_PREDICT_LOCKSETS_H
#define RADDLE_PREDICT_LOCKSETS_H

#include "base/map.h"
#include "base/vec.h"
#include "trace/event.h"

struct held_lock { uint64_t lock; uint32_t times; bool shared; };
struct lockset_was { uint32_t number, alone; bool known; };
struct locksets {
	struct lockset_now {
		VEC(struct held_lock) held;
		uint32_t number, alone;         /* alone: of those not for reading */
		bool stale;                     /* they have yet to be found */
		struct take_seen *taking;       /* where to say what they are then, or NULL */
		VEC(struct lockset_was) was;    /* of each that is held: what they were when it was taken */
	} *threads;
	uint32_t thread_count;
	VEC(struct lockset { struct held_lock *locks; uint32_t count; }) sets;  /* [0] is empty */
	struct map by_hash, excludes;           /* hash -> number; two numbers -> 1 not, 2 yes */
	struct map meets;                       /* two numbers -> number + 1 */
	struct meet_seen { uint64_t key; uint32_t number; } *recent;
	struct take_seen { uint64_t lock; uint32_t from_number, from_alone, number, alone; bool shared; } *takes; /* some sets with one lock more */
};

#define LOCKS_ALL 0xffffffu                     /* the set of all locks there are: what no access at all has held */

void locks_init(struct locksets *l, uint32_t threads);
void locks_note(struct locksets *l, const struct event *ev);    /* events of other kinds change nothing */
uint32_t locks_of(struct locksets *l, uint32_t thread);         /* the number of what it holds */
void locks_number(struct locksets *l, struct lockset_now *t);  /* t->number and t->alone are right again */
uint32_t locks_meet(struct locksets *l, uint32_t a, uint32_t b);        /* what both have, however it is held; 0 nothing */
bool locks_exclude(struct locksets *l, uint32_t a, uint32_t b);

/* Of what it holds alone if it writes, else of all. */
static inline uint32_t locks_for(struct locksets *l, uint32_t thread, bool writes)
{
	struct lockset_now *t = &l->threads[thread];
	if (t->stale)
		locks_number(l, t);
	return writes ? t->alone : t->number;
}

void locks_release(struct locksets *l);

#endif
