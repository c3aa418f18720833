/* analyses/predict/closed.h -- is a goal that no run showed closed by values (values.h)? */
#ifndef RADDLE_PREDICT_CLOSED_H
#define RADDLE_PREDICT_CLOSED_H

#include "analyses/predict/work.h"

enum closed { VALUES_ERROR = -1, VALUES_OPEN, VALUES_CLOSE, VALUES_DOUBT };     /* DOUBT: the question was too hard */

/* No run showed it so far.  Could one, as long as what its events depend on stays as it was?  The last of the aims that cannot says why. */
enum closed closed_by_values(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why);

#endif
