/* model/flow.h -- the control flow of one function: its blocks as a graph, dominators, postdominators, and what decides whether a
 * block is reached.
 *
 * Nodes are the function's blocks, 0 = where it begins; node `exit` stands for the end.  A block that ends a round of a loop may lead
 * to the end too, since the loop may never; so may one whose last call may never return.  With those edges "a controls b" says: b's
 * being reached, at all, hangs on what happens at the end of a. */
#ifndef RADDLE_MODEL_FLOW_H
#define RADDLE_MODEL_FLOW_H

#include "model/code.h"
#include "model/graph.h"

struct flow {
	uint32_t exit;                          /* number of blocks */
	struct graph next, back;                /* with the exit and the edges to it */
	uint32_t *dominator, *postdominator;    /* immediate ones; dominator is NONE for blocks nothing leads to */
	struct graph control;                   /* control.next of b: the blocks that decide about b */
};

/* may_stay(with, block): can the call at the end of this block (index in code->blocks) not return?  NULL: all return. */
void flow_make(struct flow *f, const struct code *c, uint32_t function, bool (*may_stay)(void *with, uint32_t block), void *with);
void flow_release(struct flow *f);

#endif
