/* analyses/predict/values.h -- may an aim be reached while what its events depend on stays as it was?
 *
 * order/ is asked once more, of the same trace with every access to marked memory in it, and with reads that must return what they returned:
 * those of which model/ says that the events of the aim depend on them, for being reached or for their addresses; none where
 * the model cannot see through the code, or does not know the event.  Other reads may return anything.
 * What a library function did (free, a lock) has a line and no site: it is the doing of a call of that line.
 * A no is: by these values no order of these events gets there. */
#ifndef RADDLE_PREDICT_VALUES_H
#define RADDLE_PREDICT_VALUES_H

#include "analyses/predict/aims.h"
#include "model/model.h"

struct values {                                 /* of one recording; all zero but for the first four: nothing was asked yet */
	struct model *model;                    /* NULL: nothing is known about the program, nothing can be asked */
	struct depend *depend;
	bool (*goes_on)(void *with);            /* asked while the trace is read and questions are thought about; NULL: always */
	void *with;
	struct order *order;
	VEC(uint32_t) site;                     /* by node: value of the model's code, UINT32_MAX none */
	struct map by_place;                    /* place -> that + 1 */
};

/* NO: with the rules in `explain`; YES; UNKNOWN.  -1 and why: the trace cannot be read. */
int  values_ask(struct values *v, const struct recording *r, const struct aim *aim, enum order_answer *answer, FILE *explain, struct err *why);
void values_release(struct values *v);          /* all but the model and what was made of it */

#endif
