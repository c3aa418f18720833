/* analyses/predict/steady.h -- which writes of a recording write the same in every order of its events.
 *
 *   (1) what is done before there are two threads, and what a thread does before it first sees something of the others: it has read no memory that others write without being ordered by threads
 *       and synchronisation (marked memory, screen.h), taken in nothing from outside and been told nothing but success by locks; and its
 *       creator had not when it created it;
 *   (2) a store whose value, by model/, comes from constants and from reads that never touched marked memory, given that it is reached as it was. */
#ifndef RADDLE_PREDICT_STEADY_H
#define RADDLE_PREDICT_STEADY_H

#include "analyses/predict/recording.h"
#include "model/model.h"

struct steady {                                 /* all zero: empty */
	uint64_t *until;                        /* by thread: of its events, those below are the same in every order */
	uint32_t threads;
	bool others;                            /* a second thread was created */
	struct map shared;                      /* sites that read marked memory */
	struct map asked, placed;               /* site -> 1: it writes the same, looks at the same place, 2: it may not */
};

void steady_begin(struct steady *s, uint32_t threads);
void steady_note(struct steady *s, const struct event *ev, uint32_t site, bool marked);        /* every event; site NONE: it has none */
/* Does this write write the same?  After all were noted. */
bool steady_is(struct steady *s, struct depend *d, uint32_t thread, uint64_t index, uint32_t site);
bool steady_place(struct steady *s, struct depend *d, uint32_t site);           /* does this read read the same place, by the same rule? */
bool steady_read(const struct steady *s, uint32_t site);                       /* has it never read marked memory? */
void steady_release(struct steady *s);

#endif
