/* analyses/epa/known.h -- which object lies at an address, for one who heard of objects one after the other: the last one heard of hides what lay there before.
 *
 *   (1) the answer hangs on the objects and their order alone, not on where they lie: nothing is ever dropped for want of room;
 *   (2) an object costs memory for the pieces it is in, never for its bytes: large ones are one piece. */
#ifndef RADDLE_EPA_KNOWN_H
#define RADDLE_EPA_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct known_part { uint64_t first, last; uint32_t id, when; };         /* both ends are in it */
struct known_row { struct known_part *at; size_t count, room; };        /* sorted, nothing in two of them */

struct known {                                  /* all zero: nothing is known */
	struct map pages;                       /* page -> index in rows + 1 */
	VEC(struct known_row) rows;             /* of small objects */
	struct known_row large;
	uint32_t when;                          /* how many were put so far */
};

void known_put(struct known *k, uint64_t start, uint64_t end, uint32_t id);
bool known_at(const struct known *k, uint64_t address, struct known_part *out);         /* the same for all of [first, last] */
void known_release(struct known *k);

#endif
