/* analyses/check/ahead.h -- where a run made to learn goes on: most such runs are of a class no run has shown, but one that only finds that its
 * thread comes back to where it was, in a loop, is of some class of before, unless it is steered to another. */
#ifndef RADDLE_ANALYSES_CHECK_AHEAD_H
#define RADDLE_ANALYSES_CHECK_AHEAD_H

#include "analyses/check/keys.h"
#include "analyses/check/space.h"

struct ahead {
	uint32_t node, head;
	bool (*wanted)(void *who, struct key class);
	void *who;
	struct step unknown;            /* out: a step beyond the way; and of the thread that stands there */
	uint32_t unknown_node;
};

/* Where the thread that stands at an unknown node has come back to, if the round it has just made was told what the one before was; or NO_NODE. */
uint32_t ahead_guess(const struct threads *t, uint32_t node);
/* If `node` is the same place as `head`: what leads from this state to a class that is wanted, or to where a thread does what no run has shown, added to way.
 * False: none is near.  *unknown: that thread's step, or of NOBODY. */
bool ahead_find(const struct space *s, const struct state *from, struct ahead *a, doings *way);

#endif
