/* model/guards.h -- what must have been read, and been found so, for an instruction to be reached at all.
 *
 * A guard of a site is a read that was done on every way to it, in the same call of its function.  A value fits if control can come from behind the read to the site,
 * and not through the read once more, as far as the value decides (truth.h): by a comparison, truths joined, a switch, several branches, a phi of truths.
 * So whatever else changes, the event happens only if what its thread's last such read returned fits.
 *   (1) the block of the read dominates that of the site, and is another one;
 *   (2) a function that may be called while it runs has none: its last read might be another call's; nor is one of a function that was called a guard if anything is called behind that;
 *   (3) where the read reads is the caller's business: it must be known to be the same place, or tied to the event's;
 *   (4) a function with one call in the whole program hands on those of the call.
 * A group: the same place read again and again with nothing else done in between (if (state == 1 || state == 2)).  Whichever was last fits, alone; and since all of
 * them could have been done when that one was, there is an order of the same events in which the first one, which is the guard, returns what the last one did. */
#ifndef RADDLE_MODEL_GUARDS_H
#define RADDLE_MODEL_GUARDS_H

#include "model/depend.h"

#define GUARDS_MOST 16u

#define TARGETS_MOST 8u
#define GROUP_MOST 4u

/* Values: the load; if what it read came back from a call, that and what was handed back there (NONE, NONE).  tied: where it reads is told by where the event is done, both being so far from the same pointer, which may have
 * been read twice: by loads[], tie_count of them, that must return the same.  target[]: blocks of the function, by which ways to the site are told; group[]: reads, the first is `read`. */
struct guard {
	uint32_t read, call, back;
	bool tied;
	uint32_t loads[2], tie_count;
	uint32_t function, target[TARGETS_MOST], targets, group[GROUP_MOST], reads;
};
struct guards { struct guard at[GUARDS_MOST]; uint32_t count; };

/* Of a site.  heap[]: calls one of which allocated the memory it touches, as far as that is known; a pointer that cannot point there is none the
 * event was done through. */
void guards_find(struct guards *out, struct depend *d, uint32_t site, const uint32_t *heap, uint32_t heap_count);
bool guard_fits(struct depend *d, const struct guard *g, uint64_t value);       /* may the site be reached if the read returns this? */

#endif
