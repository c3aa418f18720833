/* analyses/check/classes.h -- which classes the search has found, which runs have shown. */
#ifndef RADDLE_ANALYSES_CHECK_CLASSES_H
#define RADDLE_ANALYSES_CHECK_CLASSES_H

#include "analyses/check/keys.h"

struct classes {                                                        /* all zero: none */
	struct keys all, spinning;
	uint64_t found, ways;                                           /* and ways to them that were come */
	uint64_t found_at[64];                                          /* when so many ways had been come, 1, 2, 4, ... */
};

bool classes_find(struct classes *c, struct key class, bool spins);     /* true: for the first time, or first as one where threads go round for ever */
bool classes_execute(struct classes *c, struct key class);              /* true: there threads go round for ever */
bool classes_is_executed(const struct classes *c, struct key class);
bool classes_are_sound(const struct classes *c);                        /* whichever was found was executed, and the other way round */
/* How many there are, if the search that has come to these is this share of all. */
double classes_estimate(const struct classes *c, double share);
void classes_release(struct classes *c);

#endif
