/* analyses/predict/values.h -- may an aim be reached while what its events need, or may need, stays as it was?
 *
 * order/ is asked once more, of the same trace with every access to marked memory in it, and with reads that must return what they returned.
 * VALUES_MUST: a read without whose value the event would not be this one: it handed the thread the pointer into the heap block that the event touches
 * (model/ says which reads can have, the trace which one did), and it read it where that pointer was put first, as far as that is seen: whoever else has it,
 * has it from there.  A no is: no order of these events gets there.
 * And a read without which, returning anything that answers its question otherwise, the event would not be reached (model/guards.h): on every way there the branch on a
 * comparison of it with a constant went as it did.  It may return whatever answers alike: what any write wrote, unless that is one that writes the same in
 * every order (steady.h) and that is known to answer otherwise; and it is held only if the writes there are all there can be (written.h).
 * In neither does synchronisation take part that another run may not have, where other locks may be held when the events come: none at all but that a thread is made
 * before it begins, or, if every run comes to the events as often and in the same rounds of loops, what every run has (steady.h).  An event for which nothing is held must
 * be one every run has.
 * VALUES_MAY: that who got the number of a descriptor got it from who closed it, and all reads model/ says the events may depend on, for being reached or for their addresses.  A no is no proof: what only decided which way
 * control went, or was an index, may lead there with another value too.
 * What a library function did (free, a lock) has a line and no site: it is the doing of a call of that line.  Where the model cannot see through the
 * code nothing is held. */
#ifndef RADDLE_PREDICT_VALUES_H
#define RADDLE_PREDICT_VALUES_H

#include "analyses/predict/aims.h"
#include "analyses/predict/steady.h"
#include "analyses/predict/written.h"
#include "model/model.h"

struct read_event { uint64_t index, address, value; uint32_t node, site; uint8_t size; };        /* node NO_NODE: of memory that is not marked */
struct heap_block { uint64_t start, bytes; const struct place *place; };
struct copied { uint64_t address, at; uint32_t bytes; };        /* at: in `brought` */

/* The same accesses in an order of less. */
struct view { struct order *order; VEC(uint32_t) node_of; };    /* by its node: that of the whole */

struct values {                                 /* of one recording; all zero but for the first five: nothing was asked yet */
	struct model *model;                    /* NULL: nothing is known about the program, nothing can be asked */
	struct depend *depend;
	bool (*goes_on)(void *with);            /* asked while the trace is read and questions are thought about; NULL: always */
	void *with;
	uint64_t spent;                         /* steps of all questions, in all recordings */
	struct order *order;
	struct view bare, sure;                 /* without what synchronises; with as much of that as every run has, made when asked */
	struct map by_place;                    /* place -> value of the model's code + 1 */
	VEC(uint32_t) site;                     /* by node: that value, UINT32_MAX none */
	struct { VEC(struct read_event) all; } *reads;          /* by thread */
	uint32_t threads;
	VEC(struct heap_block) blocks;
	struct map first_at;                    /* value of 8 bytes that were written -> where first */
	struct steady steady;                   /* which writes write the same in every order */
	struct written_by written;
	struct map copy_of;                     /* node -> 1 + number in copies */
	VEC(struct copied) copies;
	VEC(uint8_t) brought;
	uint64_t kept_reads;
	struct map unkept;                      /* sites whose reads are not among them: of more than 8 bytes, or of a value that is not known */
	struct map shut;                        /* number of a descriptor -> how often it was closed */
	struct map opened;                      /* nodes at which a thread got such a number */
	struct map begins_zero;                 /* address -> 1: zero when the program begins, 2: not known */
	const struct trace *trace;
};

enum values_hold { VALUES_MUST, VALUES_MAY, VALUES_ANY };         /* ANY: of values_script() alone */

/* Reads the trace once more, for what was noted on the way (steady, by_place).  0; 1: it is not to go on; -1 and why. */
int  values_open(struct values *v, const struct recording *r, struct err *why);
/* NO: with the rules in `explain`; YES; UNKNOWN.  -1 and why: the trace cannot be read. */
int  values_ask(struct values *v, const struct recording *r, const struct aim *aim, enum values_hold hold, enum order_answer *answer, FILE *explain,
	struct err *why);
/* A yes as a schedule (script.h).  VALUES_MAY: what the events depend on stays as it was; VALUES_MUST: where guards are known, each sees what is known to answer as it did;
 * VALUES_ANY: each read they may depend on returns what it returned, or what anybody wrote.  1, to be released; 0: there is none; -1 and why. */
int  values_script(struct values *v, const struct recording *r, const struct aim *aim, enum values_hold hold, uint32_t way, struct schedule *out, struct err *why);
/* 1: of VALUES_MAY the answer is NO, with the rule in `explain`, which a table says; 0: it is to be asked; -1 and why. */
int  values_apart(struct values *v, const struct recording *r, const struct aim *aim, FILE *explain, struct err *why);
/* Can what the thread of the last event does there, or that it does it, come from what it read from the first event on?  1 yes, or it is not known;
 * 0 no: whatever it read, it would have done the same; -1 and why: the trace cannot be read. */
int  values_depend(struct values *v, const struct recording *r, const struct aim *aim, struct err *why);
void values_release(struct values *v);          /* all but the model, what was made of it, and what was spent */

#endif
