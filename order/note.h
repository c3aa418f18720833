/* order/note.h -- how the events of a trace become nodes: what history.c, note_locks.c and note_handed.c share.
 * One note_X() for each primitive: which node it is and what it must come after. */
#ifndef RADDLE_ORDER_NOTE_H
#define RADDLE_ORDER_NOTE_H

#include "order/inside.h"

/* history.c */
void note_unmodelled(struct order *o, const char *name, const struct event *ev);        /* no rule covers this */
uint32_t note_node(struct order *o, enum op op, const struct event *ev);
uint32_t note_flush(struct order *o, uint32_t line, uint32_t made, const struct event *ev);     /* weak: what was made reaches memory */
uint32_t note_made_up(struct order *o, uint32_t thread, enum event_kind kind, uint64_t key);       /* a node that is no event */
bool note_learn(struct order *o, uint32_t thread, uint32_t node, bool *own);            /* what the next node of this thread learns */
bool note_knows(const struct order *o, uint32_t thread, uint32_t node);  /* does what this thread does next come behind the node in every run? */
/* The first time something is made where nothing was used yet: might others use it before? */
bool note_early(const struct order *o, const struct event *ev);

/* The number of the lock, condition or semaphore there, of which `count` are known: if it is none of them it is the next, *fresh, and to be added. */
uint32_t note_number(struct order *o, struct map *index, uint64_t address, size_t count, bool *fresh);

/* buffer.c; in an order that is not weak note_emptied() does nothing and note_reached() hands back `node` */
bool empties_buffer(const struct event *ev);
bool is_spin_unlock(const struct event *ev);                    /* one store, which waits and comes behind every earlier one, as a release */
bool waits_in_buffer(const struct event *ev);                       /* weak: it is a store that may wait in the buffer */
uint64_t store_bytes(const struct event *ev);
void note_emptied(struct order *o, uint32_t thread);            /* the next node of this thread finds its buffer empty */
void note_stored(struct order *o, const struct event *ev);      /* weak: an access that may be a store which waits */
uint32_t note_reached(struct order *o, uint32_t node, bool fence, const struct event *ev);      /* a release: what others saw when they saw it */

/* stores.c; nothing where stores are no nodes */
void note_learn_stores(struct order *o, uint32_t thread, uint32_t line, bool *own);     /* this line learns of all that thread has stored */
void note_store(struct order *o, uint32_t node, const struct event *ev);        /* a store that waits: its FLUSH */
void note_store_released(struct order *o, uint32_t flush, const struct event *ev);      /* a release has one already */
bool note_store_met(const struct order *o, const struct event *ev);     /* PSO: it is behind a store that is a node, so it must be one too */

static inline uint32_t note_owner(const struct order *o, uint32_t node)         /* the thread whose line or buffer it is in */
{
	return o->nodes.at[node].thread % o->own_count;
}

/* note_locks.c */
void note_lock(struct order *o, const struct event *ev);
void note_unlock(struct order *o, const struct event *ev);
bool note_counts(struct order *o, const struct event *ev);              /* a recursive lock its thread has, and keeps: it only counts */
void note_left(struct order *o, uint32_t thread);                       /* weak: the locks it has left are given back by now */
void note_all_left(struct order *o);                                    /* the last of all: robust mutexes that were left behind */
void note_lockinit(struct order *o, const struct event *ev);
void note_lock_born(struct order *o, uint64_t address);                 /* another one lies there, if one does */
void note_lockdead(struct order *o, const struct event *ev);
void note_tryfail(struct order *o, const struct event *ev);
void note_cwait(struct order *o, const struct event *ev);
void note_cwake(struct order *o, const struct event *ev);
void note_csignal(struct order *o, enum op op, const struct event *ev);                 /* OP_SIGNAL, OP_BROADCAST */

/* note_handed.c */
void note_benter(struct order *o, const struct event *ev);
void note_bleave(struct order *o, const struct event *ev);
void note_sem(struct order *o, const struct event *ev);
void note_sem_init(struct order *o, const struct event *ev);
void note_sem_born(struct order *o, uint64_t address);
void note_sem_value(struct order *o, const struct event *ev);
void note_once(struct order *o, const struct event *ev);
void note_handed(struct order *o, const struct event *ev);
void note_fence(struct order *o, const struct event *ev);
void note_atomic(struct order *o, const struct event *ev);

#endif
