/* analyses/predict/steady.h -- which writes of a recording write the same in every order of its events.
 *
 *   (1) what is done before there are two threads;
 *   (2) a store whose value, by model/, comes from constants, given that it is reached as it was: through whatever memory it came, none of the reads on its way,
 *       a library function's neither, touched memory that others write without being ordered by threads and synchronisation (marked memory, screen.h), and
 *       no address of a block given out when there were others is part of it: who comes first gets another one.
 * And which synchronisation every run has, not only this one: a lock is *steady* if all that is done to it is reached as often, in the same rounds of loops, by the same
 * rule, and nobody is told by it what others did, as who tries for it is.  Where a semaphore is waited for only if a read says so, rules about the recorded events do
 * not speak of a run in which it says otherwise. */
#ifndef RADDLE_PREDICT_STEADY_H
#define RADDLE_PREDICT_STEADY_H

#include "analyses/predict/recording.h"
#include "model/model.h"

struct steady_sync { const struct place *place; uint32_t site; uint64_t object, lock; bool told; };      /* lock: that of who waits for a condition, or 0 */
struct steady {                                 /* all zero: empty */
	struct model *model;
	uint64_t until;                         /* before this event of the first thread there was no other */
	bool others;                            /* a second thread was created */
	uint8_t *shared;                        /* by site: it reads marked memory */
	uint8_t *varies;                        /* the same, and calls that gave out memory */
	struct depend *depend, *value_depend;   /* in which these alone are recorded, of places and of values; made when asked */
	struct map asked, placed;               /* site -> 1: it writes the same, looks at the same place, 2: it may not */
	struct map synced;                      /* (place, object) of what synchronised -> 1: those in */
	VEC(struct steady_sync) syncs;
	struct map unsteady;                    /* objects; known when asked */
	bool looked;
};

void steady_begin(struct steady *s, struct model *model);
void steady_note(struct steady *s, const struct event *ev, uint32_t site, bool marked);        /* every event; site NONE: it has none, or is an access to memory that is not marked */
struct answer steady_answer(struct steady *s, uint32_t site, unsigned parts);   /* which reads of marked memory it depends on */
/* Does this write write the same?  After all were noted. */
bool steady_is(struct steady *s, uint32_t thread, uint64_t index, uint32_t site);
bool steady_place(struct steady *s, uint32_t site);           /* does this read read the same place, by the same rule? */
bool steady_read(const struct steady *s, uint32_t site);                       /* has it never read marked memory? */
/* Is it reached as often and in the same rounds of loops (PART_REACH), and for the same places (PART_ADDRESS), by the same rule?  site NONE: all calls of its line. */
bool steady_event(struct steady *s, const struct place *place, uint32_t site, unsigned parts);
/* Is this reached as often and in the same rounds, but for what these reads answer? */
bool steady_but_for(struct steady *s, uint32_t site, const uint32_t *reads, uint32_t count);
/* Is this an event of a steady object, or of threads: one that is made, or whose end is waited for steadily? */
bool steady_sync(struct steady *s, const struct event *ev, uint32_t site);
void steady_release(struct steady *s);

#endif
