/* analyses/epa/following.h -- a value that is followed to what killed it: what fate.c, returned.c and unseen.c share. */
#ifndef RADDLE_EPA_FOLLOWING_H
#define RADDLE_EPA_FOLLOWING_H

#include "analyses/epa/fate.h"
#include "base/map.h"
#include "base/vec.h"
#include "model/graph.h"
#include "model/model.h"

struct fates {
	struct model *model;                    /* NULL: there is none */
	struct graph uses;
	struct map calls;                       /* identity of a site -> the call there */
};

struct following {
	struct fates *fates;
	const struct judged *judged;
	const struct canon *canon;
	const struct canon_lane *lane;
	size_t fault;
	uint32_t at;                            /* place of what killed it; 0: none is known */
	char by[400];                           /* and who, "" nobody in particular */
};

static inline const struct code *following_code(const struct following *x)
{
	return model_code(x->fates->model);
}

typedef VEC(uint64_t) identity_list;

uint32_t following_instruction(const struct following *x, const struct fault_place *s);         /* a place as a value of the code, or NONE */
void following_identities(const struct following *x, identity_list *all, uint32_t value);       /* by what its events are known */
bool following_is(const struct canon *c, uint32_t place, const identity_list *all);             /* is it one of these? */
const char *following_callee(const struct following *x, const struct function *f);              /* its name as the program has it */

/* returned.c.  The function of the value is left, by that event of its lane: was the value given to a caller, and is that one watched? */
enum fate follow_returned(struct following *x, const struct canon_lane *lane, size_t leave, uint32_t value);
/* The same of a steered run, whose trace does not tell who called: the code says who can. */
enum fate follow_callers(struct following *x, const struct function *f);

/* unseen.c.  In a steered run, whose trace has neither calls nor branches nor returns, from that event of its lane on. */
enum fate follow_unseen(struct following *x, size_t from, uint32_t value);

/* outside.c.  May code nobody watches have read the memory the fault is in, between these two moments of the run?  Then `by` says who. */
bool follow_outside(struct following *x, uint64_t from, uint64_t until);
bool follow_is_local(const struct following *x);         /* is it in a variable of the function that writes there, and nowhere else? */
void outside_index(struct fates *f);

#endif
