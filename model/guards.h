/* model/guards.h -- what must have been read, and been found so, for an instruction to be reached at all.
 *
 * A guard of a site is a read and a condition computed of what it returned and of constants: on every way to the site, in the same call of its
 * function, the branch on that condition went `way`, and behind the last time the read was done.  So whatever else changes, the event happens
 * only if what its thread's last such read returned fits.
 *   (1) dominance of edges: without the edge the branch took, nothing leads from the function's beginning to the site;
 *   (2) a function that may be called while it runs has none: its last read might be another call's;
 *   (3) where the read reads is the caller's business: it must be known to be the same place, or tied to the event's;
 *   (4) a function with one call in the whole program hands on those of the call. */
#ifndef RADDLE_MODEL_GUARDS_H
#define RADDLE_MODEL_GUARDS_H

#include "model/depend.h"

#define GUARDS_MOST 16u

/* Values: the load, what the branch looked at, and, if that came back from a call, what was handed back there (NONE).  tied: where it reads is told by where the event is done, both being so far from the same pointer, which may have
 * been read twice: by loads[], tie_count of them, that must return the same. */
struct guard { uint32_t read, condition, back; bool way, tied; uint32_t loads[2], tie_count; };
struct guards { struct guard at[GUARDS_MOST]; uint32_t count; };

/* Of a site.  heap[]: calls one of which allocated the memory it touches, as far as that is known; a pointer that cannot point there is none the
 * event was done through. */
void guards_find(struct guards *out, struct depend *d, uint32_t site, const uint32_t *heap, uint32_t heap_count);
bool guard_fits(const struct code *c, const struct guard *g, uint64_t value);   /* if the read returns this */

#endif
