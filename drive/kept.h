/* drive/kept.h -- the checkpoints one server has (server.h), one in the other, and which of them an order can begin at. */
#ifndef RADDLE_DRIVE_KEPT_H
#define RADDLE_DRIVE_KEPT_H

#include "base/vec.h"
#include "drive/runs.h"
#include "drive/server.h"

/* What a run was told up to a checkpoint: a run that is told the same comes to the same state. */
struct kept_step { uint32_t what, kind, thread, answer; uint64_t nth, module, offset; };

struct kept {
	VEC(struct kept_step) steps;            /* of the last one; those before have the first so many of them: */
	VEC(size_t) at;
	VEC(char) paths;                        /* of the threads the script names */
	uint32_t policy, depth;
	uint64_t seed, length;
	bool loose;
};
#define KEPT_MOST 16u                           /* of one server */

void kept_forget(struct kept *k);               /* the server is gone; also releases it */
size_t kept_steps(const struct kept *k);        /* of a script, up to the last one; 0 there is none */
/* Leaves those that do not fit; NULL: all.  0, or -1: the server is gone. */
int  kept_fit(struct kept *k, struct server *s, const struct run_order *order);
/* The server has become one, before step order->keep. */
void kept_add(struct kept *k, const struct run_order *order);

#endif
