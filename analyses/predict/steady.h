/* analyses/predict/steady.h -- which writes of a recording write the same in every order of its events.
 *
 *   (1) what is done before there are two threads;
 *   (2) a store whose value, by model/, comes from constants, given that it is reached as it was: through whatever memory it came, none of the reads on its way,
 *       a library function's neither, touched memory that others write without being ordered by threads and synchronisation (marked memory, screen.h), and
 *       no address of a block given out when there were others is part of it: who comes first gets another one. */
#ifndef RADDLE_PREDICT_STEADY_H
#define RADDLE_PREDICT_STEADY_H

#include "analyses/predict/recording.h"
#include "model/model.h"

struct steady {                                 /* all zero: empty */
	struct model *model;
	uint64_t until;                         /* before this event of the first thread there was no other */
	bool others;                            /* a second thread was created */
	uint8_t *shared;                        /* by site: it reads marked memory */
	uint8_t *varies;                        /* the same, and calls that gave out memory */
	struct depend *depend, *value_depend;   /* in which these alone are recorded, of places and of values; made when asked */
	struct map asked, placed;               /* site -> 1: it writes the same, looks at the same place, 2: it may not */
};

void steady_begin(struct steady *s, struct model *model);
void steady_note(struct steady *s, const struct event *ev, uint32_t site, bool marked);        /* every event; site NONE: it has none */
/* Does this write write the same?  After all were noted. */
bool steady_is(struct steady *s, uint32_t thread, uint64_t index, uint32_t site);
bool steady_place(struct steady *s, uint32_t site);           /* does this read read the same place, by the same rule? */
bool steady_reach(struct steady *s, uint32_t site);                            /* is it reached as often, in the same rounds of loops and for the same places, by the same rule? */
bool steady_read(const struct steady *s, uint32_t site);                       /* has it never read marked memory? */
void steady_release(struct steady *s);

#endif
