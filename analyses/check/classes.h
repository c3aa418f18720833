/* analyses/check/classes.h -- which classes the search has found, which runs have shown. */
#ifndef RADDLE_ANALYSES_CHECK_CLASSES_H
#define RADDLE_ANALYSES_CHECK_CLASSES_H

#include "analyses/check/keys.h"

struct classes { struct keys all, spinning; uint64_t found; };          /* all zero: none */

bool classes_find(struct classes *c, struct key class, bool spins);     /* true: for the first time, or first as one where threads go round for ever */
bool classes_execute(struct classes *c, struct key class);              /* true: there threads go round for ever */
bool classes_is_executed(const struct classes *c, struct key class);
bool classes_are_sound(const struct classes *c);                        /* whichever was found was executed, and the other way round */
void classes_release(struct classes *c);

#endif
