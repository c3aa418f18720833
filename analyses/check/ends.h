/* analyses/check/ends.h -- where each thread was when each run ended: runs that count, in their order.
 * They are looked at again only when states have become others, or are to be kept: most of them are in a file without a name. */
#ifndef RADDLE_ANALYSES_CHECK_ENDS_H
#define RADDLE_ANALYSES_CHECK_ENDS_H

#include "analyses/check/threads.h"

struct ends {                           /* all zero: none */
	size_t count, again;            /* runs; of them to be made again, see below */
	VEC(uint32_t) words;            /* of each run its head, then a node a thread; those behind the ones in the file, */
	size_t in_file;                 /* so many; */
	int file;                       /* 0: there is none; -1: there can be none */
	VEC(uint32_t) window;           /* some of them, from this one on: */
	size_t window_at;
};

/* Its place.  again: whoever goes on from a state (resume.h) makes this run again, for what it showed is not in the state. */
size_t ends_add(struct ends *e, const struct run_end *end, bool again);
/* The run at *place, which is then that of the next one; false: there is none. */
bool ends_next(struct ends *e, size_t *place, struct run_end *out, bool *again);
void ends_release(struct ends *e);

#endif
