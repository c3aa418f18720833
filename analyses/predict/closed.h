/* analyses/predict/closed.h -- is a goal that no run showed closed by values (values.h)? */
#ifndef RADDLE_PREDICT_CLOSED_H
#define RADDLE_PREDICT_CLOSED_H

#include "analyses/predict/work.h"

/* UNLIKELY: not with what was read, but other values may do; DOUBT: the question was too hard. */
enum closed { VALUES_ERROR = -1, VALUES_CLOSE, VALUES_UNLIKELY, VALUES_DOUBT, VALUES_OPEN };

/* No run showed it so far.  Could one, as long as what its events need stays as it was?  The last of the aims that cannot says why. */
enum closed closed_by_values(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why);

/* The same of the aims that are to be tried alone, before any is, one of them at each call: nothing is asked twice.  False: there are more to be asked. */
bool closed_at_first(struct work *w, const struct recording *r, const struct goal *g, struct aims_group *group, enum closed *closed, struct err *why);

void closed_open_model(struct work *w);         /* w->values.model, if there is one */

/* No order of the recorded events is one for this aim.  Is that all there is to be said: are these the events of every run?  1, 0, -1 and why. */
int  closed_by_rules(struct work *w, const struct recording *r, const struct aim *aim, struct err *why);

/* An order of a race in which its events depend on what they depended on, as a schedule (values.h).  Ways 0 and 1: all reads they may depend on return what they
 * returned, or, if that cannot be, those of guards answer as they did; 2 and 3: what anybody wrote.  1, to be released; 0: there is none; -1 and why. */
#define KEPT_WAYS 4u
int  kept_script(struct work *w, const struct recording *r, const struct aim *aim, uint32_t way, struct schedule *out, struct err *why);

/* Did another write come between a read and a write that is made from it, or that was made because of it?  Else the read was only looked at.  1 yes, or it is
 * not known; 0 no; -1 and why. */
int  made_from_read(struct work *w, const struct recording *r, const struct aim *aim, struct err *why);

#endif
