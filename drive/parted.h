/* drive/parted.h -- a run that went two ways though it was made by the same order: where. */
#ifndef RADDLE_DRIVE_PARTED_H
#define RADDLE_DRIVE_PARTED_H

#include <stdbool.h>
#include <stdint.h>

#include "drive/runs.h"

struct parted_way {
	bool over;                      /* it had no more events */
	char thread[PATH_BYTES];
	uint64_t nth;                   /* of its events, from 1 */
	uint32_t kind;                  /* enum event_kind */
	char place[300];                /* "bank.c:41", "" not known */
};

struct parted {
	uint64_t number;                /* which run, from 1; 0 none */
	struct run_order order;         /* that run alone, */
	struct run_order among;         /* and as the last of several in one process */
	bool located;                   /* and then: */
	uint64_t event;                 /* the first in which they differ, of all threads, from 1 */
	struct parted_way way[2];
};

/* Makes the run again, both ways and a few times, until two differ. */
void parted_locate(struct parted *p, const struct steer_options *like);

#endif
