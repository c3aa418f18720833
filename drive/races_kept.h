/* drive/races_kept.h -- races of many runs: each pair of places once, as words, since the places end with the runs. */
#ifndef RADDLE_DRIVE_RACES_KEPT_H
#define RADDLE_DRIVE_RACES_KEPT_H

#include "base/map.h"
#include "drive/races.h"

struct race_kept { char *text, *json; uint64_t first, runs; };  /* as race_print() and race_list_json() say it; in which run first, in how many */
struct races_kept {                     /* all zero: none */
	VEC(struct race_kept) all;
	struct names pairs;
	uint64_t unseen, stopped;       /* runs in which something could not be seen, to the end */
};

void races_kept_add(struct races_kept *k, const struct race_list *l, uint64_t run);
void races_kept_release(struct races_kept *k);

#endif
