/* drive/early.h -- weak memory: places where code not built with raddle was called while stores waited, so that they reached memory
 * there; of one run or of many, each once, as words, since the places end with the runs. */
#ifndef RADDLE_DRIVE_EARLY_H
#define RADDLE_DRIVE_EARLY_H

#include "base/map.h"
#include "drive/steer.h"

struct early {                          /* all zero: none */
	VEC(uint64_t) known;            /* addresses that were looked up */
	struct names places;            /* "queue.c:12 in put" */
};

void early_add(struct early *e, const struct steer_result *r);
void early_release(struct early *e);
#define EARLY_SAID "stores that waited were taken to memory by a call of code not built with raddle"

#endif
